// The machine in three dimensions, as it moves: one message of poses per frame (float32, base64).
import { Machine, VIEWS, floats, tracePoints } from "samara-machine";
import { CAMERAS } from "samara-flight";

export default {
  template: `
    <div class="relative w-full h-full" style="min-height: 260px; overflow: hidden" data-testid="machine">
      <canvas ref="canvas" style="display: block; width: 100%; height: 100%; outline: none"></canvas>
      <div class="absolute top-1 left-1 row items-center q-gutter-xs" style="z-index: 1; max-width: calc(100% - 2.5rem)">
        <q-btn-group flat rounded>
          <q-btn v-for="(d, name) in views" :key="name" dense flat no-caps size="sm" class="q-px-sm"
                 :label="name" @click="look(name)" />
        </q-btn-group>
        <q-select v-model="followed" :options="nodeOptions" dense options-dense borderless emit-value map-options
                  class="samara-choice" style="min-width: 7em; font-size: 0.85rem" popup-content-style="font-size: 0.85rem"
                  aria-label="follow a node" @update:model-value="follow" />
        <q-select v-model="traced" :options="traceOptions" dense options-dense borderless emit-value map-options
                  class="samara-choice" style="min-width: 7em; font-size: 0.85rem" popup-content-style="font-size: 0.85rem"
                  aria-label="trace of a point" @update:model-value="retrace" />
        <q-btn-toggle v-if="scene.sticks" v-model="camera" dense flat no-caps size="sm" toggle-color="primary"
                      role="group" aria-label="camera" :options="cameraOptions" @update:model-value="shoot" />
        <q-btn-toggle v-model="dressed" dense flat no-caps size="sm" toggle-color="primary" @update:model-value="dress"
                      :options="[{label: 'bodies', value: true}, {label: 'lines', value: false}]" />
      </div>
      <q-btn class="absolute top-1 right-1" style="z-index: 2" dense flat round size="sm" icon="fullscreen"
             aria-label="whole screen" @click="whole" />
      <div class="absolute bottom-1 left-2 text-caption" style="opacity: 0.65; pointer-events: none">{{ note }}</div>
    </div>`,
  props: { scene: Object, nodes: Array },
  data() {
    return { views: VIEWS, followed: -1, traced: -1, dressed: true, note: "", camera: this.scene.sticks ? "chase" : "free" };
  },
  computed: {
    cameraOptions() {
      return CAMERAS.map((name) => ({ label: name, value: name, attrs: { "data-testid": "camera-" + name } }));
    },
    nodeOptions() {
      return [{ label: "camera free", value: -1 }].concat(
        this.nodes.map((name, k) => ({ label: "follow " + name, value: k })),
      );
    },
    traceOptions() {
      return [{ label: "no trace", value: -1 }, ...tracePoints(this.scene, this.nodes)];
    },
  },
  mounted() {
    this.watcher = new IntersectionObserver((seen) => this.$emit("seen", { on: seen[seen.length - 1].isIntersecting }));
    this.watcher.observe(this.$el);
    this.next_camera = () => {
      if (this.scene.sticks) this.shoot(CAMERAS[(CAMERAS.indexOf(this.camera) + 1) % CAMERAS.length]);
    };
    window.addEventListener("samara-camera", this.next_camera);
    try {
      // kept out of Vue's reach: its proxies are slow, and three.js does not like them
      const scene = JSON.parse(JSON.stringify(this.scene));
      this.machine = new Machine(this.$el, this.$refs.canvas, scene, (text) => (this.note = text));
    } catch (error) {
      this.note = "no 3-D view: this browser has no WebGL";
      console.error(error);
    }
  },
  beforeUnmount() {
    this.watcher.disconnect();
    window.removeEventListener("samara-camera", this.next_camera);
    this.machine?.dispose();
  },
  methods: {
    move(text) {
      this.machine?.move(floats(text));
      this.frames = this.machine?.frames;
    },
    shoot(name) {
      this.machine?.shoot(name);
      this.camera = name;
    },
    look(name) {
      this.machine?.look(name);
      this.camera = this.machine?.camera;
    },
    follow() {
      this.machine?.follow(this.followed);
      this.camera = this.machine?.camera;
    },
    retrace() {
      this.machine?.retrace(this.traced);
    },
    dress() {
      this.machine?.dress(this.dressed);
    },
    whole() {
      const e = (this.scene.sticks && this.$el.closest(".side")) || this.$el; // a pilot takes the sticks along
      if (document.fullscreenElement) return document.exitFullscreen();
      e.style.background = getComputedStyle(document.body).backgroundColor;
      e.requestFullscreen?.();
    },
  },
};
