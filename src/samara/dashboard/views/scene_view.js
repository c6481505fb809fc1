// The machine in three dimensions: geometry once, then one message of poses per frame (float32, base64).
// Points are fixed to nodes, surfaces and lines are made of points; all of it is moved here, in the browser.
import { OrbitControls, THREE } from "nicegui-scene";
import { CAMERAS, FlightWorld } from "samara-flight";

const BLADES = ["#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5", "#ffe066", "#4dd0c0", "#e57373"];
const KINDS = { blade: "#9fb3c8", wing: "#8fa3b0", beam: "#b0bec5", hull: "#78909c" };
const VIEWS = { iso: [-0.8, -1, 0.6], front: [-1, 0, 0], side: [0, -1, 0], top: [0, 0, 1] };
const TRACE = 600;

function nice(x) {
  const p = Math.pow(10, Math.floor(Math.log10(x)));
  return p * [1, 2, 5, 10].find((f) => f * p >= x * 0.999);
}

function floats(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

// points in the world, p + R offset, from poses: position and rotation by rows, twelve numbers per node
function places(scene, poses, at) {
  for (let i = 0; i < scene.node.length; i++) {
    const [x, y, z] = scene.offset[i], n = 12 * scene.node[i], k = 3 * i;
    if (n < 0) {
      at[k] = x;
      at[k + 1] = y;
      at[k + 2] = z;
    } else
      for (let r = 0; r < 3; r++)
        at[k + r] = poses[n + r] + poses[n + 3 + 3 * r] * x + poses[n + 4 + 3 * r] * y + poses[n + 5 + 3 * r] * z;
  }
}

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
      const options = [{ label: "no trace", value: -1 }];
      for (const rotor of this.scene.rotors || [])
        for (const blade of rotor.blades) options.push({ label: "tip of " + blade.name, value: blade.tip });
      const offset = this.scene.offset;
      this.scene.node.forEach((node, k) => {
        if (node >= 0 && offset[k].every((x) => x === 0)) options.push({ label: this.nodes[node], value: k });
      });
      return options;
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
      this.begin();
    } catch (error) {
      this.note = "no 3-D view: this browser has no WebGL";
      console.error(error);
    }
  },
  beforeUnmount() {
    this.watcher.disconnect();
    window.removeEventListener("samara-camera", this.next_camera);
    const w = this.world;
    if (!w) return;
    cancelAnimationFrame(w.request);
    w.observer.disconnect();
    w.controls.dispose();
    w.root.traverse((o) => {
      o.geometry?.dispose();
      o.material?.map?.dispose();
      o.material?.dispose();
    });
    w.renderer.dispose();
  },
  methods: {
    begin() {
      const renderer = new THREE.WebGLRenderer({ canvas: this.$refs.canvas, antialias: true, alpha: true });
      renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      const root = new THREE.Scene();
      const camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
      camera.up.set(0, 0, 1);
      const controls = new OrbitControls(camera, this.$refs.canvas);
      // kept out of Vue's reach: its proxies are slow, and three.js does not like them
      const w = Object.freeze({ state: { dirty: true, size: 0, poses: null }, renderer, root, camera, controls });
      this.world = Object.assign({}, w);
      controls.addEventListener("change", () => (w.state.dirty = true));
      this.$refs.canvas.addEventListener("wheel", (e) => { // a camera that goes by itself comes nearer all the same
        if (this.camera === "free") return;
        e.preventDefault();
        this.geometry.flown?.approach(e.deltaY);
      }, { passive: false });
      root.add(new THREE.HemisphereLight(0xffffff, 0x404860, 1.6));
      for (const [x, y, z, power] of [[-3, -4, 6, 1.6], [4, 3, -2, 0.5]]) {
        const light = new THREE.DirectionalLight(0xffffff, power);
        light.position.set(x, y, z);
        root.add(light);
      }
      this.build(root);
      const gizmo = this.triad();
      const fit = () => {
        const { clientWidth: x, clientHeight: y } = this.$el;
        if (!x || !y) return;
        renderer.setSize(x, y, false);
        camera.aspect = x / y;
        camera.updateProjectionMatrix();
        w.state.dirty = true;
      };
      this.world.observer = new ResizeObserver(fit);
      this.world.observer.observe(this.$el);
      fit();
      const draw = () => {
        this.world.request = requestAnimationFrame(draw);
        this.steer();
        if (!w.state.dirty || !w.state.size) return;
        w.state.dirty = false;
        const { clientWidth: x, clientHeight: y } = this.$el;
        renderer.setScissorTest(false);
        renderer.setViewport(0, 0, x, y);
        renderer.autoClear = true;
        renderer.render(root, camera);
        // the axes, in a corner, seen from where the machine is seen from
        const side = Math.min(90, 0.3 * x, 0.3 * y);
        gizmo.eye.position.set(0, 0, 4).applyQuaternion(camera.quaternion);
        gizmo.eye.up.copy(camera.up);
        gizmo.eye.lookAt(0, 0, 0);
        renderer.autoClear = false;
        renderer.setViewport(x - side, 0, side, side);
        renderer.clearDepth();
        renderer.render(gizmo.root, gizmo.eye);
      };
      draw();
    },
    build(root) {
      const s = this.scene, count = s.node.length;
      const g = { at: new Float32Array(3 * count), skins: [], boxes: [], disks: [], joints: s.joints || [] };
      // what flies hangs on nothing: a line to the world is that of a sensor or a regulator
      g.lines = s.sticks ? s.lines.filter((line) => line.every((k) => s.node[k] >= 0)) : s.lines;
      const solid = (color, more) => new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.15, side: THREE.DoubleSide, ...more });
      g.bodies = new THREE.Group();
      for (const skin of s.surfaces || []) {
        // edges that are to look sharp have points of their own: the trailing edge, which comes first, and the ends
        const sharp = skin.kind === "blade" || skin.kind === "wing", corners = skin.rings[0].length, index = [];
        const rings = skin.rings.map((ring) => (sharp ? [...ring, ring[0]] : ring)), m = rings[0].length;
        const points = rings.flat();
        for (let r = 0; r + 1 < rings.length; r++)
          for (let c = 0; c < corners; c++) {
            const a = r * m + c, b = r * m + ((c + 1) % m);
            index.push(a, b, a + m, b, b + m, a + m);
          }
        for (const ring of [skin.rings[0], skin.rings.at(-1)]) {
          const first = points.push(...ring) - corners;
          for (let c = 1; c + 1 < corners; c++) index.push(first, first + c, first + c + 1);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(index);
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * points.length), 3));
        const color = skin.blade === undefined ? KINDS[skin.kind] || "#b0bec5" : BLADES[skin.blade % BLADES.length];
        const mesh = new THREE.Mesh(geometry, solid(color, skin.kind === "hull"
          ? { transparent: true, opacity: s.sticks ? 0.9 : 0.5, depthWrite: !!s.sticks } : { flatShading: skin.kind === "beam" }));
        mesh.frustumCulled = false;
        g.skins.push({ mesh, points: Int32Array.from(points), flat: skin.kind === "beam", hull: skin.kind === "hull" });
        g.bodies.add(mesh);
      }
      root.add(g.bodies);
      this.geometry = g;
    },
    // after the first poses, when the size of the machine is known
    furnish() {
      const s = this.scene, g = this.geometry, w = this.world, box = new THREE.Box3();
      const v = new THREE.Vector3(), outer = [];
      for (let i = 0; i < g.at.length; i += 3) outer.push(new THREE.Vector3().fromArray(g.at, i));
      for (const rotor of s.rotors || []) {
        const disk = this.place(rotor.craft, rotor.disk);
        for (let k = 0; k < 16; k++) {
          const a = (k * Math.PI) / 8;
          outer.push(new THREE.Vector3(rotor.radius * Math.cos(a), rotor.radius * Math.sin(a), 0).applyMatrix4(disk));
        }
      }
      for (const b of s.boxes || []) {
        const there = this.place(b.node, [...b.position, ...b.rotation]);
        for (let k = 0; k < 8; k++) {
          v.set(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).multiply(new THREE.Vector3(...b.size));
          outer.push(v.clone().applyMatrix4(there));
        }
      }
      if (!outer.length) outer.push(v.set(0, 0, 0).clone());
      box.setFromPoints(outer);
      const size = Math.max(box.getSize(v).length(), 1e-3);
      w.state.size = size;
      w.state.box = box;
      w.state.outer = outer;
      w.state.largest = 3 * size;
      w.controls.addEventListener("start", () => (w.state.touched = true));
      const metal = (color, more) => new THREE.MeshStandardMaterial({ color, roughness: 0.5, metalness: 0.3, ...more });
      for (const b of s.boxes || []) {
        const small = Math.max(...b.size) < 0.006 * size;
        const shape = small
          ? new THREE.SphereGeometry(0.009 * size, 20, 14)
          : new THREE.BoxGeometry(...b.size);
        const large = Math.max(...b.size) > 0.2 * size;
        const mesh = new THREE.Mesh(shape, metal("#90a4ae", large ? { transparent: true, opacity: 0.28, depthWrite: false } : {}));
        if (large) {
          const edges = new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: "#b0bec5" }));
          mesh.add(edges);
        }
        mesh.matrixAutoUpdate = false;
        g.bodies.add(mesh);
        g.boxes.push({ mesh, node: b.node, pose: [...b.position, ...b.rotation] });
      }
      const rod = new THREE.CylinderGeometry(1, 1, 1, 8, 1, true);
      g.rods = new THREE.InstancedMesh(rod, metal("#78909c"), Math.max(g.lines.length, 1));
      g.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(0.006 * size, 14, 10), metal("#ffca28"), Math.max(g.joints.length, 1));
      for (const mesh of [g.rods, g.balls]) {
        mesh.frustumCulled = false;
        mesh.count = 0;
        w.root.add(mesh);
      }
      for (const rotor of s.rotors || []) this.furnish_rotor(rotor, metal);
      g.dots = new THREE.Points(
        new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * TRACE), 3)),
        new THREE.PointsMaterial({ color: "#ff5252", size: 3.5, sizeAttenuation: false }),
      );
      g.dots.frustumCulled = false;
      g.trace = { next: 0, count: 0 };
      g.dots.geometry.setDrawRange(0, 0);
      w.root.add(g.dots);
      this.furnish_ground(box, size);
      w.camera.near = size / 500;
      w.camera.far = size * 40;
      w.controls.maxDistance = size * 10;
      if (!s.sticks) return this.look("iso");
      const cell = nice(0.5 * size);
      g.flown = new FlightWorld(s.sticks, w, size, cell);
      g.grid.visible = false;
      this.note = `checkers ${cell >= 1 ? cell : Number(cell.toPrecision(3))} m, z up`;
      this.shoot(this.camera);
    },
    furnish_rotor(rotor, metal) {
      const R = rotor.radius, group = new THREE.Group(), circle = [];
      for (let k = 0; k <= 96; k++) {
        const a = (k * Math.PI) / 48;
        circle.push(new THREE.Vector3(R * Math.cos(a), R * Math.sin(a), 0));
      }
      const faint = (color, opacity) => new THREE.LineBasicMaterial({ color, transparent: true, opacity });
      group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(circle), faint("#90caf9", 0.55)));
      const zero = [new THREE.Vector3(0.97 * R, 0, 0), new THREE.Vector3(1.06 * R, 0, 0)];
      group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(zero), faint("#90caf9", 1)));
      const fill = new THREE.MeshBasicMaterial({ color: "#90caf9", transparent: true, opacity: 0.05, side: THREE.DoubleSide, depthWrite: false });
      group.add(new THREE.Mesh(new THREE.CircleGeometry(R, 64), fill));
      const hub = new THREE.Mesh(new THREE.CylinderGeometry(0.028 * R, 0.028 * R, 0.03 * R, 24), metal("#607d8b"));
      hub.rotation.x = Math.PI / 2;
      group.add(hub);
      group.matrixAutoUpdate = false;
      this.world.root.add(group);
      this.geometry.disks.push({ group, rotor });
    },
    furnish_ground(box, size) {
      const step = nice(size / 14), centre = box.getCenter(new THREE.Vector3());
      const count = 2 * Math.ceil((0.75 * size) / step);
      const grid = new THREE.GridHelper(count * step, count, 0x607d8b, 0x546e7a);
      grid.material.transparent = true;
      grid.material.opacity = 0.35;
      grid.rotation.x = Math.PI / 2;
      const x = Math.round(centre.x / step) * step, y = Math.round(centre.y / step) * step;
      const z = box.min.z > -0.02 * size && box.min.z < 0.5 * size ? 0 : box.min.z - 0.02 * size;
      grid.position.set(x, y, Math.min(z, box.min.z));
      this.world.root.add(grid);
      this.geometry.grid = grid;
      this.note = `grid ${step >= 1 ? step : Number(step.toPrecision(3))} m, z up`;
    },
    // another camera of what is flown
    shoot(name) {
      const w = this.world, { flown, skins, boxes } = this.geometry || {};
      this.camera = name;
      if (!flown) return;
      w.controls.enabled = name === "free";
      flown.begin(name);
      // who sits inside does not see the hull
      for (const { mesh, hull } of skins) mesh.visible = !(hull && name === "cockpit");
      for (const { mesh, node } of boxes) mesh.visible = !(node === this.scene.sticks.craft && name === "cockpit");
      if (name === "free") {
        w.controls.target.copy(this.where(this.scene.sticks.craft));
        w.controls.update();
      }
      w.state.dirty = true;
    },
    steer() {
      const { state } = this.world, { flown } = this.geometry;
      if (!flown || this.camera === "free") return;
      const pose = this.matrix(state.poses, 12 * this.scene.sticks.craft);
      if (flown.steer(this.camera, pose, performance.now() / 1000)) state.dirty = true;
    },
    triad() {
      const root = new THREE.Scene(), eye = new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
      eye.up.set(0, 0, 1);
      [["x", "#ef5350"], ["y", "#66bb6a"], ["z", "#42a5f5"]].forEach(([name, color], k) => {
        const end = new THREE.Vector3().setComponent(k, 1);
        root.add(new THREE.ArrowHelper(end, new THREE.Vector3(), 1, color, 0.3, 0.18));
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        const pen = canvas.getContext("2d");
        pen.font = "52px sans-serif";
        pen.fillStyle = color;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(name, 32, 30);
        const label = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
        label.scale.setScalar(0.5);
        label.position.copy(end.multiplyScalar(1.25));
        root.add(label);
      });
      return { root, eye };
    },
    // the matrix of a frame that is given in a node, by its position and rotation by rows
    place(node, pose) {
      const local = this.matrix(pose, 0);
      return node < 0 ? local : this.matrix(this.world.state.poses, 12 * node).multiply(local);
    },
    matrix(a, k) {
      return new THREE.Matrix4().set(
        a[k + 3], a[k + 4], a[k + 5], a[k], a[k + 6], a[k + 7], a[k + 8], a[k + 1],
        a[k + 9], a[k + 10], a[k + 11], a[k + 2], 0, 0, 0, 1,
      );
    },
    move(text) {
      const w = this.world;
      if (!w || !this.geometry) return;
      w.state.poses = floats(text);
      const g = this.geometry, at = g.at;
      places(this.scene, w.state.poses, at);
      if (!w.state.size) this.furnish();
      for (const { mesh, points, flat } of g.skins) {
        const position = mesh.geometry.attributes.position;
        for (let i = 0; i < points.length; i++)
          for (let r = 0; r < 3; r++) position.array[3 * i + r] = at[3 * points[i] + r];
        position.needsUpdate = true;
        if (!flat) mesh.geometry.computeVertexNormals();
      }
      for (const { mesh, node, pose } of g.boxes) {
        mesh.matrix.copy(this.place(node, pose));
        mesh.matrixWorldNeedsUpdate = true;
      }
      for (const { group, rotor } of g.disks) {
        group.matrix.copy(this.place(rotor.craft, rotor.disk));
        group.matrixWorldNeedsUpdate = true;
      }
      this.move_rods();
      g.joints.forEach((joint, k) => {
        const i = 3 * joint.point;
        g.balls.setMatrixAt(k, new THREE.Matrix4().makeTranslation(at[i], at[i + 1], at[i + 2]));
      });
      g.balls.count = g.joints.length;
      g.balls.instanceMatrix.needsUpdate = true;
      this.leave_trace();
      if (g.flown) {
        this.steer();
        g.flown.lay(this.where(this.scene.sticks.craft));
        this.mark();
      }
      if (this.camera === "free") {
        if (this.followed >= 0) this.go_with();
        this.grow();
      }
      w.state.dirty = true;
      this.frames = (this.frames || 0) + 1;
    },
    // where things are, for tests that look at the page from outside
    mark() {
      const text = (v) => v.toArray().map((x) => x.toFixed(3)).join(" "), { dataset } = this.$el;
      dataset.camera = this.camera;
      dataset.eye = text(this.world.camera.position);
      dataset.gaze = text(this.world.camera.getWorldDirection(new THREE.Vector3()));
      dataset.craft = text(this.where(this.scene.sticks.craft));
    },
    // a machine that swings out of the picture is seen whole again, until somebody turns the camera
    grow() {
      const { state } = this.world, at = this.geometry.at, v = new THREE.Vector3(), outside = [];
      const room = state.box.clone().expandByScalar(0.03 * state.size);
      for (let i = 0; i < at.length; i += 3) if (!room.containsPoint(v.fromArray(at, i))) outside.push(v.clone());
      if (!outside.length) return;
      const box = state.box.clone();
      for (const p of outside) box.expandByPoint(p);
      if (box.getSize(v).length() > state.largest) return;
      state.box = box;
      state.outer.push(...outside);
      const { grid } = this.geometry;
      if (grid.position.z > box.min.z) grid.position.z = box.min.z - 0.02 * state.size;
      if (!state.touched && this.followed < 0) this.look(state.view);
    },
    move_rods() {
      const g = this.geometry, at = g.at, inside = this.dressed && g.skins.length; // thin enough to be in a blade
      const thick = (inside ? 0.0013 : 0.0025) * this.world.state.size;
      const x = new THREE.Vector3(), y = new THREE.Vector3(), z = new THREE.Vector3(), m = new THREE.Matrix4();
      g.lines.forEach(([a, b], k) => {
        y.set(at[3 * b] - at[3 * a], at[3 * b + 1] - at[3 * a + 1], at[3 * b + 2] - at[3 * a + 2]);
        x.set(0, 0, 1).cross(y);
        if (x.lengthSq() < 1e-8 * y.lengthSq()) x.set(1, 0, 0);
        x.normalize();
        z.copy(x).cross(y).normalize();
        m.makeBasis(x.multiplyScalar(thick), y, z.multiplyScalar(thick));
        m.setPosition(0.5 * (at[3 * a] + at[3 * b]), 0.5 * (at[3 * a + 1] + at[3 * b + 1]), 0.5 * (at[3 * a + 2] + at[3 * b + 2]));
        g.rods.setMatrixAt(k, m);
      });
      g.rods.count = g.lines.length;
      g.rods.instanceMatrix.needsUpdate = true;
    },
    leave_trace() {
      const g = this.geometry, position = g.dots.geometry.attributes.position;
      if (this.traced < 0) return;
      const k = 3 * this.traced, i = 3 * g.trace.next;
      for (let r = 0; r < 3; r++) position.array[i + r] = g.at[k + r];
      g.trace.next = (g.trace.next + 1) % TRACE;
      g.trace.count = Math.min(g.trace.count + 1, TRACE);
      g.dots.geometry.setDrawRange(0, g.trace.count);
      position.needsUpdate = true;
    },
    retrace() {
      const g = this.geometry;
      if (!g?.trace) return;
      g.trace.next = g.trace.count = 0;
      g.dots.geometry.setDrawRange(0, 0);
      this.world.state.dirty = true;
    },
    where(node) {
      return new THREE.Vector3().fromArray(this.world.state.poses, 12 * node);
    },
    follow() {
      const w = this.world;
      w.state.last = null;
      if (this.camera !== "free") this.shoot("free");
      if (this.followed < 0 || !w.state.poses) return;
      const to = this.where(this.followed);
      w.camera.position.add(to.clone().sub(w.controls.target));
      w.controls.target.copy(to);
      w.state.last = to;
      w.controls.update();
    },
    go_with() {
      const w = this.world, now = this.where(this.followed);
      if (w.state.last) {
        const step = now.clone().sub(w.state.last);
        w.camera.position.add(step);
        w.controls.target.add(step);
        w.controls.update();
      }
      w.state.last = now;
    },
    look(name) {
      const w = this.world;
      if (!w?.state.size) return;
      if (this.camera !== "free") this.shoot("free");
      w.state.view = name;
      const away = new THREE.Vector3(...VIEWS[name]).normalize();
      const target = this.followed >= 0 ? this.where(this.followed) : w.state.box.getCenter(new THREE.Vector3());
      // the whole machine is seen: its points, as it stood at first, lie within the angle of view, upright and across
      const up = Math.abs(away.z) > 0.99 ? new THREE.Vector3(-1, 0, 0) : new THREE.Vector3(0, 0, 1);
      const right = up.clone().cross(away).normalize(), top = away.clone().cross(right);
      const tan = Math.tan((w.camera.fov * Math.PI) / 360), corner = new THREE.Vector3();
      let distance = 0;
      for (const point of w.state.outer) {
        corner.copy(point).sub(target);
        const across = Math.max(Math.abs(corner.dot(top)), Math.abs(corner.dot(right)) / w.camera.aspect);
        distance = Math.max(distance, (1.15 * across) / tan + corner.dot(away));
      }
      if (name === "top") away.set(1e-3, 0, 1).normalize();
      w.controls.target.copy(target);
      w.camera.position.copy(target).addScaledVector(away, Math.max(distance, 0.05 * w.state.size));
      w.camera.updateProjectionMatrix();
      w.controls.update();
      w.state.dirty = true;
    },
    whole() {
      const e = (this.scene.sticks && this.$el.closest(".side")) || this.$el; // a pilot takes the sticks along
      if (document.fullscreenElement) return document.exitFullscreen();
      e.style.background = getComputedStyle(document.body).backgroundColor;
      e.requestFullscreen?.();
    },
    dress() {
      this.geometry.bodies.visible = this.dressed;
      if (this.geometry.rods) this.move_rods();
      this.world.state.dirty = true;
    },
  },
};
