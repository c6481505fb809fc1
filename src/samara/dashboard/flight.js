// The pilot's sticks and instruments. Hands on keys, gamepad and sticks are told to the panel, which moves the sticks:
// always the whole of what is held, at every change and ten times a second, so that a lost message mends itself.
const PADS = { left: { x: "yaw", y: "collective" }, right: { x: "roll", y: "pitch" } };
const PUSHES = {
  ArrowLeft: ["roll", -1], ArrowRight: ["roll", 1], ArrowUp: ["pitch", 1], ArrowDown: ["pitch", -1],
  KeyA: ["yaw", -1], KeyD: ["yaw", 1], KeyW: ["collective", 1], KeyS: ["collective", -1],
};
const KEYS = [...Object.keys(PUSHES), "Space", "KeyR", "KeyC", "Escape"];
// axes of a gamepad in the standard layout, mode 2: which stick axis, and its sense; buttons
const GAMEPAD = [["yaw", 1], ["collective", -1], ["roll", 1], ["pitch", -1]];
const BUTTONS = { 0: "neutral", 1: "camera", 9: "reset" };
const DEAD = 0.08; // part of a gamepad's travel about its middle that counts as let go
// looks at the gamepad; messages come at least, and at most, so often: the gate lets 60 a second through [ms]
const POLL = 33, BEAT = 100, LEAST = 25;
const ENDS = { yaw: "pedals", collective: "collective", roll: "lateral", pitch: "longitudinal" };

function deadened(v) {
  const size = Math.abs(v);
  return size <= DEAD ? 0 : Math.sign(v) * Math.min((size - DEAD) / (1 - DEAD), 1);
}

// what hands do, from what is held: keys, places under fingers, a gamepad; see Hands in stick_motion.py
function hands(axes, held, fingers, pad) {
  const found = { pushes: {}, places: {}, neutral: held.has("Space") };
  for (const code of held) {
    const [axis, push] = PUSHES[code] || [];
    if (axis in axes) found.pushes[axis] = (found.pushes[axis] || 0) + push;
  }
  if (pad) {
    GAMEPAD.forEach(([axis, sense], k) => {
      const v = deadened(sense * (pad.axes[k] || 0));
      if (!(axis in axes) || v === 0) return;
      // the sticks of a gamepad spring themselves: one that is to stay is moved, not placed
      if (axes[axis].springs || pad.mapping !== "standard") found.places[axis] = v;
      else if (!found.pushes[axis]) found.pushes[axis] = v;
    });
    found.neutral ||= !!pad.buttons[0]?.pressed;
  }
  Object.assign(found.places, fingers);
  return found;
}

function typing(target) {
  return target?.closest?.("input, textarea, select, [contenteditable=true]");
}

function shown(v) {
  if (v === null || v === undefined || !isFinite(v)) return "–";
  return Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 10 ? v.toFixed(1) : v.toFixed(2);
}

export default {
  template: `
    <div class="flight-screen">
      <div v-for="(pad, side) in pads" :key="side" class="flight-pad" role="group" :aria-label="side + ' stick'">
        <svg viewBox="-1.25 -1.25 2.5 2.5" :data-testid="'stick-' + side" :class="{ mine }" @pointerdown="down($event, side)"
             @pointermove="drag($event, side)" @pointerup="up($event, side)" @pointercancel="up($event, side)"
             @lostpointercapture="up($event, side)">
          <rect x="-1.2" y="-1.2" width="2.4" height="2.4" rx="0.12" />
          <line v-if="pad.x in axes" x1="-1" y1="0" x2="1" y2="0" /><line v-if="pad.y in axes" x1="0" y1="-1" x2="0" y2="1" />
          <circle :cx="place(side)[0]" :cy="-place(side)[1]" r="0.17" />
        </svg>
        <template v-for="which in ['x', 'y']" :key="which">
          <div v-if="pad[which] in axes" class="small" role="meter" aria-valuemin="-1" aria-valuemax="1"
               :aria-label="pad[which]" :aria-valuenow="(at[pad[which]] || 0).toFixed(3)" :data-testid="'axis-' + pad[which]"
               :aria-valuetext="number(values[pad[which]]) + ' ' + axes[pad[which]].unit"
               :title="names[pad[which]] + ', input ' + axes[pad[which]].input">
            <span class="soft">{{ pad[which] }}</span>&nbsp;<span class="mono">{{ number(values[pad[which]]) }}</span>&nbsp;<span
              class="soft">{{ axes[pad[which]].unit === "1" ? "" : axes[pad[which]].unit }}</span>
          </div>
        </template>
      </div>
      <canvas ref="horizon" class="flight-horizon" role="img" :aria-label="said" data-testid="horizon"></canvas>
      <table class="facts flight-facts" data-testid="instruments">
        <tr v-for="row in rows" :key="row[0]"><td>{{ row[0] }}</td><td class="mono">{{ row[1] }}</td><td>{{ row[2] }}</td></tr>
      </table>
    </div>`,
  props: { axes: Object },
  data() {
    return { mine: false, at: {}, values: {}, lies: null, readings: {}, delay: null, pad: "", dragged: {}, names: ENDS };
  },
  computed: {
    pads() {
      return Object.fromEntries(Object.entries(PADS).filter(([, pad]) => pad.x in this.axes || pad.y in this.axes));
    },
    rows() {
      const lies = this.lies, degrees = (v) => ((v * 180) / Math.PI).toFixed(0), found = [];
      if (lies) {
        found.push(["heading", degrees(lies.heading).padStart(3, "0"), "°"], ["height", shown(lies.height), lies.height < 0 ? "m, below the ground" : "m"]);
      }
      for (const [name, unit] of [["speed", "m/s"], ["climb", "m/s"]])
        if (name in this.readings) found.push([name, shown(this.readings[name]), unit]);
      for (const [name, value] of Object.entries(this.readings))
        if (name.endsWith(" rpm")) found.push([name.slice(0, -4), value.toFixed(0), "rpm"]);
      if (this.mine && this.delay !== null) found.push(["round trip", this.delay.toFixed(0), "ms"]);
      if (this.pad) found.push(["gamepad", this.pad, ""]);
      return found;
    },
    said() {
      const degrees = (v) => Math.round((v * 180) / Math.PI);
      return this.lies ? `attitude: roll ${degrees(this.lies.roll)}, pitch ${degrees(this.lies.pitch)} degrees` : "attitude";
    },
  },
  mounted() {
    // what is held changes often and is nothing to be drawn: kept out of Vue's reach
    this.hold = Object.freeze({ held: new Set(), fingers: {}, pressed: new Set(), sent: { text: "", when: 0 } });
    this.listeners = [
      [window, "keydown", this.press, true], [window, "keyup", this.release, true], [window, "blur", this.let_go, false],
      [window, "pagehide", this.let_go, false], [document, "visibilitychange", this.let_go, false],
      [window, "focusin", (e) => typing(e.target) && this.let_go(), false],
    ];
    for (const [where, what, how, capture] of this.listeners) where.addEventListener(what, how, capture);
    this.timer = setInterval(() => this.tell(), POLL);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.$refs.horizon);
    this.$emit("ready", {});
  },
  unmounted() {
    for (const [where, what, how, capture] of this.listeners) where.removeEventListener(what, how, capture);
    clearInterval(this.timer);
    this.observer.disconnect();
  },
  methods: {
    number: shown,
    // ---- from the panel, 25 times a second
    feed(m) {
      if (this.mine && !m.mine) this.drop();
      Object.assign(this, { mine: m.mine, at: m.at, values: m.values, lies: m.lies, readings: m.readings });
      if (m.heard && m.heard !== this.last_heard) {
        this.last_heard = m.heard;
        const delay = performance.now() - m.heard;
        this.delay = this.delay === null ? delay : this.delay + 0.1 * (delay - this.delay);
      }
      this.draw();
    },
    // ---- keys: before anybody else of the page gets them, and only while it flies
    press(e) {
      if (!this.mine || e.ctrlKey || e.altKey || e.metaKey || !KEYS.includes(e.code) || typing(e.target)) return;
      e.preventDefault();
      e.stopPropagation();
      if (e.repeat) return;
      if (e.code === "KeyR") this.$emit("reset", {});
      else if (e.code === "KeyC") this.camera();
      else if (e.code === "Escape") this.$emit("leave", {});
      else {
        this.hold.held.add(e.code);
        this.tell();
      }
    },
    release(e) {
      if (!this.hold.held.delete(e.code)) return;
      e.stopPropagation();
      this.tell();
    },
    drop() {
      this.hold.held.clear();
      for (const axis of Object.keys(this.hold.fingers)) delete this.hold.fingers[axis];
      this.dragged = {};
    },
    // the window is left, hidden or closed, or something is typed: no key stays down
    let_go() {
      this.hold.sent.when = 0; // at once: the timers of a hidden page are slow
      this.drop();
      this.tell();
    },
    camera() {
      window.dispatchEvent(new CustomEvent("samara-camera"));
    },
    // ---- sticks under a finger or the mouse
    down(e, side) {
      if (!this.mine) return;
      e.currentTarget.setPointerCapture(e.pointerId);
      this.dragged = { ...this.dragged, [side]: e.pointerId };
      this.drag(e, side);
    },
    drag(e, side) {
      if (this.dragged[side] !== e.pointerId) return;
      const box = e.currentTarget.getBoundingClientRect(), pad = PADS[side];
      const place = (v) => Math.min(Math.max(1.25 * (2 * v - 1), -1), 1);
      if (pad.x in this.axes) this.hold.fingers[pad.x] = place((e.clientX - box.left) / box.width);
      if (pad.y in this.axes) this.hold.fingers[pad.y] = -place((e.clientY - box.top) / box.height);
      this.dragged = { ...this.dragged }; // drawn where it is held, before the panel has answered
      this.tell();
    },
    up(e, side) {
      if (this.dragged[side] !== e.pointerId) return;
      const { [side]: gone, ...rest } = this.dragged;
      this.dragged = rest;
      for (const axis of Object.values(PADS[side])) delete this.hold.fingers[axis];
      this.tell();
    },
    place(side) {
      const pad = PADS[side], fingers = this.dragged[side] === undefined ? {} : this.hold.fingers;
      return [pad.x, pad.y].map((axis) => fingers[axis] ?? this.at[axis] ?? 0);
    },
    // ---- to the panel
    gamepad() {
      const found = [...(navigator.getGamepads?.() || [])].find((pad) => pad?.connected && pad.axes.length >= 4);
      this.pad = found ? found.id.split("(")[0].trim().slice(0, 18) || "yes" : "";
      const { pressed } = this.hold;
      for (const [k, what] of Object.entries(BUTTONS)) {
        const down = !!found?.buttons[k]?.pressed;
        if (down && !pressed.has(k) && this.mine && what === "camera") this.camera();
        if (down && !pressed.has(k) && this.mine && what === "reset") this.$emit("reset", {});
        if (down) pressed.add(k);
        else pressed.delete(k);
      }
      return document.hasFocus() ? found : null;
    },
    tell() {
      const { held, fingers, sent } = this.hold, pad = this.gamepad(), now = performance.now();
      if (!this.mine) return;
      const found = hands(this.axes, held, fingers, pad), text = JSON.stringify(found);
      if (now - sent.when < (text === sent.text ? BEAT : LEAST)) return; // said at the next look
      Object.assign(sent, { text, when: now });
      this.$emit("hands", { ...found, when: now, delay: this.delay });
    },
    // ---- the artificial horizon
    draw() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        if (this.$refs.horizon) this.paint(this.$refs.horizon, this.lies);
      });
    },
    paint(canvas, lies) {
      const ratio = window.devicePixelRatio || 1, side = canvas.clientWidth;
      if (!side) return;
      if (canvas.width !== Math.round(side * ratio)) canvas.width = canvas.height = Math.round(side * ratio);
      const g = canvas.getContext("2d"), r = 0.48 * side, degree = (0.9 * r) / 30, em = parseFloat(getComputedStyle(canvas).fontSize);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.clearRect(0, 0, side, side);
      g.translate(0.5 * side, 0.5 * side);
      g.save();
      g.beginPath(); g.arc(0, 0, r, 0, 2 * Math.PI); g.clip();
      g.fillStyle = "#22303f"; g.fillRect(-r, -r, 2 * r, 2 * r);
      if (lies) {
        g.rotate(-lies.roll);
        g.translate(0, ((lies.pitch * 180) / Math.PI) * degree);
        const far = 200 * degree;
        g.fillStyle = "#3d76b5"; g.fillRect(-far, -far, 2 * far, far);
        g.fillStyle = "#6d4c33"; g.fillRect(-far, 0, 2 * far, far);
        g.strokeStyle = g.fillStyle = "#ffffff"; g.lineWidth = 1.5; g.textAlign = "left"; g.textBaseline = "middle";
        g.font = `${0.6 * em}px system-ui, sans-serif`;
        for (let pitch = -80; pitch <= 80; pitch += 10) {
          const half = pitch === 0 ? far : (pitch % 20 ? 0.14 : 0.28) * r, y = -pitch * degree;
          g.beginPath(); g.moveTo(-half, y); g.lineTo(half, y); g.stroke();
          if (pitch && pitch % 20 === 0) g.fillText(String(Math.abs(pitch)), half + 3, y);
        }
      }
      g.restore();
      g.strokeStyle = "#ffca28"; g.lineWidth = 3;
      g.beginPath(); g.moveTo(-0.6 * r, 0); g.lineTo(-0.2 * r, 0); g.lineTo(0, 0.12 * r); g.lineTo(0.2 * r, 0); g.lineTo(0.6 * r, 0); g.stroke();
      g.strokeStyle = "#35485c"; g.beginPath(); g.arc(0, 0, r, 0, 2 * Math.PI); g.stroke();
    },
  },
};
