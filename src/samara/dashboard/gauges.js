// Dials: the part of an arc that a value fills, with its number, name and unit; the extremes seen are marked.
function round2(low, high) {
  const span = Math.max(high - low, 1e-12), ten = Math.pow(10, Math.floor(Math.log10(span)));
  const step = span / ten > 5 ? ten : ten / 2;
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

function number(v, span = 0) {
  const size = Math.abs(v) < 1e-6 * span ? 0 : Math.abs(v);
  if (v === null || v === undefined || !isFinite(v)) return "–";
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return v.toExponential(2);
  if (size === 0) return "0";
  return v.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

export default {
  template: '<canvas class="gauges-screen"></canvas>',
  mounted() {
    this.list = []; this.values = []; this.seen = [];
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.$el);
    this.$emit("ready", {});
  },
  unmounted() { this.observer.disconnect(); },
  methods: {
    setup(list) { this.list = list; this.values = []; this.seen = list.map(() => [Infinity, -Infinity]); this.redraw(); },
    feed(values) {
      this.values = values;
      values.forEach((v, k) => {
        if (v === null || !this.seen[k]) return;
        this.seen[k] = [Math.min(this.seen[k][0], v), Math.max(this.seen[k][1], v)];
      });
      this.redraw();
    },
    redraw() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    },
    draw() {
      const canvas = this.$el, ratio = window.devicePixelRatio || 1, n = this.list.length;
      const em = parseFloat(getComputedStyle(canvas).fontSize), w = canvas.clientWidth;
      const columns = Math.max(1, Math.min(n, Math.floor(w / (8.5 * em)))), rows = Math.ceil(n / columns);
      const cell = w / columns, high = Math.min(cell * 0.82, 8.2 * em), h = Math.max(rows * high, 1);
      canvas.style.height = `${h}px`;
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
      }
      const g = canvas.getContext("2d");
      g.setTransform(ratio, 0, 0, ratio, 0, 0); g.clearRect(0, 0, w, h); g.textAlign = "center"; g.textBaseline = "middle";
      this.list.forEach((item, k) => {
        const cx = cell * (k % columns + 0.5), y0 = high * Math.floor(k / columns), r = Math.min(cell * 0.4, high * 0.44);
        const cy = y0 + r + 0.4 * em, from = 0.8 * Math.PI, to = 2.2 * Math.PI, v = this.values[k];
        let [low, top] = [item.low, item.high];
        const seen = this.seen[k];
        if (low === null || top === null) [low, top] = seen[0] <= seen[1] ? round2(Math.min(seen[0], 0), Math.max(seen[1], 0)) : [-1, 1];
        if (!(top - low > 1e-9)) { low -= 1; top += 1; }
        const A = (x) => from + (to - from) * Math.min(Math.max((x - low) / (top - low), 0), 1);
        g.lineWidth = 0.42 * em; g.lineCap = "butt"; g.strokeStyle = "#22303f";
        g.beginPath(); g.arc(cx, cy, r, from, to); g.stroke();
        if (v !== null && v !== undefined) {
          const zero = A(Math.min(Math.max(0, low), top)), at = A(v), out = item.low !== null && (v < item.low || v > item.high);
          g.strokeStyle = out ? "#ef5350" : "#4fc3f7";
          g.beginPath(); g.arc(cx, cy, r, Math.min(zero, at), Math.max(zero, at) + 0.01); g.stroke();
          if (seen[0] <= seen[1]) for (const x of seen) {
            g.strokeStyle = "#ffb74d"; g.lineWidth = 0.14 * em;
            g.beginPath(); g.moveTo(cx + (r - 0.3 * em) * Math.cos(A(x)), cy + (r - 0.3 * em) * Math.sin(A(x)));
            g.lineTo(cx + (r + 0.3 * em) * Math.cos(A(x)), cy + (r + 0.3 * em) * Math.sin(A(x))); g.stroke();
          }
        }
        g.fillStyle = "#e6eef6"; g.font = `600 ${1.25 * em}px ui-monospace, monospace`;
        g.fillText(number(v, top - low), cx, cy - 0.1 * em);
        g.fillStyle = "#7f93a8"; g.font = `${0.75 * em}px system-ui, sans-serif`;
        g.fillText(item.unit === "1" ? "" : item.unit, cx, cy + 1.0 * em);
        g.fillText(number(low), cx - r * 0.85, cy + r * 0.82); g.fillText(number(top), cx + r * 0.85, cy + r * 0.82);
        g.fillStyle = "#b7c6d6"; g.font = `${0.82 * em}px system-ui, sans-serif`;
        let name = item.name;
        while (name.length > 6 && g.measureText(name).width > cell * 0.96) name = "…" + name.slice(name[0] === "…" ? 2 : 1);
        g.fillText(name, cx, y0 + high - 0.35 * em);
      });
    },
  },
};
