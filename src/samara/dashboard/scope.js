// The screen of a scope: traces on a canvas, drawn once a frame at most, and two cursors that can be dragged.
const COLOURS = ["#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5", "#ffe066", "#4dd0c0", "#e57373"];

function niceStep(span, count) {
  const raw = span / Math.max(count, 1);
  const ten = Math.pow(10, Math.floor(Math.log10(raw)));
  for (const m of [1, 2, 5, 10]) if (m * ten >= raw) return m * ten;
  return 10 * ten;
}

function text(value, step) {
  if (value === 0) return "0";
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : value.toFixed(digits);
}

export default {
  template: '<canvas class="scope-screen" tabindex="-1"></canvas>',
  props: {},
  mounted() {
    this.s = { x: [], y: [], from: 0, to: 1, names: [], units: [], low: null, high: null, lanes: false, cursors: null,
               level: null, levelOn: -1, at: null, range: [], still: false };
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.$el);
    this.$el.addEventListener("pointerdown", this.down);
    this.$el.addEventListener("pointermove", this.move);
    this.$el.addEventListener("pointerup", this.up);
    this.$emit("ready", {});
  },
  unmounted() {
    this.observer.disconnect();
  },
  methods: {
    setup(config) {
      Object.assign(this.s, config);
      this.redraw();
    },
    feed(m) {
      const s = this.s;
      s.from = m.from; s.to = m.to; s.at = m.at === undefined ? null : m.at; s.wait = m.at === null;
      if (m.reset || s.x.length !== m.x.length) {
        s.x = m.x; s.y = m.y;
      } else {
        for (let k = 0; k < m.x.length; k++) {
          s.x[k].push(...m.x[k]); s.y[k].push(...m.y[k]);
          let drop = 0; // one point before the screen stays, so that the line reaches its edge
          while (drop + 1 < s.x[k].length && s.x[k][drop + 1] < m.from) drop++;
          if (drop > 200) { s.x[k].splice(0, drop); s.y[k].splice(0, drop); }
        }
      }
      this.redraw();
    },
    redraw() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    },
    limits(k) {
      const s = this.s;
      if (s.low !== null && s.high !== null && !s.lanes) return [s.low, s.high];
      let low = Infinity, high = -Infinity;
      const which = s.lanes ? [k] : [...s.x.keys()];
      for (const j of which) {
        const x = s.x[j] || [], y = s.y[j] || [];
        for (let i = 0; i < x.length; i++) {
          if (x[i] < s.from || x[i] > s.to || y[i] === null) continue;
          if (y[i] < low) low = y[i];
          if (y[i] > high) high = y[i];
        }
      }
      if (s.level !== null && (!s.lanes || s.levelOn === k)) { low = Math.min(low, s.level); high = Math.max(high, s.level); }
      if (!(low <= high)) return [-1, 1];
      let pad = 0.06 * (high - low);
      if (high - low < Math.max(1e-9 * Math.max(Math.abs(high), Math.abs(low)), 1e-9)) pad = Math.max(0.1 * Math.abs(high), 1e-6);
      // the scale keeps still while the trace stays inside and fills some of it
      const held = s.range[k];
      if (held && held[0] <= low && held[1] >= high && high - low > 0.5 * (held[1] - held[0])) return held;
      return (s.range[k] = [low - pad, high + pad]);
    },
    draw() {
      const canvas = this.$el, s = this.s, ratio = window.devicePixelRatio || 1;
      const w = canvas.clientWidth, h = canvas.clientHeight;
      if (!w || !h) return;
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
      }
      const g = canvas.getContext("2d");
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.clearRect(0, 0, w, h);
      const em = parseFloat(getComputedStyle(canvas).fontSize);
      g.font = `${0.78 * em}px system-ui, sans-serif`;
      const left = 4.2 * em, right = w - 0.6 * em, top = 0.5 * em, bottom = h - 1.5 * em;
      this.box = { left, right, top, bottom };
      const X = (t) => left + (t - s.from) / (s.to - s.from) * (right - left);
      g.lineWidth = 1; g.textBaseline = "middle";
      const span = s.to - s.from, step = niceStep(span, (right - left) / (6 * em));
      g.textAlign = "center";
      for (let t = Math.ceil(s.from / step) * step; t <= s.to + 1e-9 * span; t += step) {
        g.strokeStyle = "#1d2a38"; g.beginPath(); g.moveTo(X(t), top); g.lineTo(X(t), bottom); g.stroke();
        g.fillStyle = "#7f93a8"; g.fillText(text(t, step) + (Math.abs(t - Math.ceil(s.from / step) * step) < step / 2 ? " s" : ""), X(t), bottom + 0.8 * em);
      }
      const lanes = s.lanes ? Math.max(s.names.length, 1) : 1;
      for (let lane = 0; lane < lanes; lane++) {
        const y0 = top + (bottom - top) * lane / lanes, y1 = top + (bottom - top) * (lane + 1) / lanes - (lane + 1 < lanes ? 3 : 0);
        const [low, high] = this.limits(lane);
        const Y = (v) => y1 - (v - low) / (high - low) * (y1 - y0);
        const ys = niceStep(high - low, (y1 - y0) / (2.4 * em));
        g.textAlign = "right";
        for (let v = Math.ceil(low / ys) * ys; v <= high + 1e-9 * ys; v += ys) {
          if (Math.abs(v) < 1e-9 * ys) v = 0;
          g.strokeStyle = v === 0 ? "#35485c" : "#1d2a38";
          g.beginPath(); g.moveTo(left, Y(v)); g.lineTo(right, Y(v)); g.stroke();
          g.fillStyle = "#7f93a8"; g.fillText(text(v, ys), left - 0.4 * em, Math.max(Y(v), top + 0.4 * em));
        }
        g.save();
        g.beginPath(); g.rect(left, y0, right - left, y1 - y0); g.clip();
        for (const k of s.lanes ? [lane] : s.x.keys()) {
          const x = s.x[k] || [], y = s.y[k] || [];
          g.strokeStyle = COLOURS[k % COLOURS.length]; g.lineWidth = Math.max(1.4, 0.1 * em); g.lineJoin = "round";
          g.beginPath();
          let pen = false;
          for (let i = 0; i < x.length; i++) {
            if (y[i] === null) { pen = false; continue; }
            if (pen) g.lineTo(X(x[i]), Y(y[i])); else g.moveTo(X(x[i]), Y(y[i]));
            pen = true;
          }
          g.stroke();
        }
        if (s.level !== null && (!s.lanes || s.levelOn === lane)) {
          g.strokeStyle = "#ffd54f"; g.lineWidth = 1; g.setLineDash([5, 5]);
          g.beginPath(); g.moveTo(left, Y(s.level)); g.lineTo(right, Y(s.level)); g.stroke();
          if (s.at !== null) { g.beginPath(); g.moveTo(X(s.at), y0); g.lineTo(X(s.at), y1); g.stroke(); }
          g.setLineDash([]);
        }
        g.restore();
        if (lane + 1 < lanes) { g.strokeStyle = "#35485c"; g.lineWidth = 1; g.beginPath(); g.moveTo(left, y1 + 1.5); g.lineTo(right, y1 + 1.5); g.stroke(); }
      }
      if (s.cursors) {
        s.cursors.forEach((t, k) => {
          g.strokeStyle = g.fillStyle = k ? "#f48fb1" : "#e6eef6"; g.lineWidth = 1.5;
          g.beginPath(); g.moveTo(X(t), top); g.lineTo(X(t), bottom); g.stroke();
          g.textAlign = k ? "right" : "left"; g.fillText(k ? "B" : "A", X(t) + (k ? -4 : 4), top + 0.6 * em);
        });
      }
      if (s.wait && !s.still) { g.fillStyle = "#7f93a8"; g.textAlign = "right"; g.fillText("waiting for the trigger", right - 0.4 * em, bottom - 0.8 * em); }
      if (s.still) { g.fillStyle = "#ffd54f"; g.textAlign = "right"; g.fillText("frozen", right - 0.4 * em, top + 0.6 * em); }
    },
    time(e) {
      const { left, right } = this.box, x = e.clientX - this.$el.getBoundingClientRect().left;
      return this.s.from + Math.min(Math.max((x - left) / (right - left), 0), 1) * (this.s.to - this.s.from);
    },
    down(e) {
      if (!this.s.cursors || !this.box) return;
      const t = this.time(e), [a, b] = this.s.cursors;
      this.dragged = Math.abs(t - a) <= Math.abs(t - b) ? 0 : 1;
      this.$el.setPointerCapture(e.pointerId);
      this.move(e);
    },
    move(e) {
      if (this.dragged === undefined || this.dragged === null || !this.s.cursors) return;
      this.s.cursors[this.dragged] = this.time(e);
      this.redraw();
      const now = performance.now();
      if (now - (this.told || 0) > 100) { this.told = now; this.$emit("cursors", { at: [...this.s.cursors] }); }
    },
    up() {
      if (this.dragged === undefined || this.dragged === null) return;
      this.dragged = null;
      this.$emit("cursors", { at: [...this.s.cursors] });
    },
  },
};
