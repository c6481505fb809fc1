// Plots of a rotor on canvases: a measure of the blades over the azimuth, polar and straight; multiblade coordinates
// over time; the tilt of the plane of the tips. Python sends numbers, drawing is done here.
const BLADES = ["#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5", "#ffe066", "#4dd0c0", "#e57373"];
const ROWS = ["#eceff1", "#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#b39ddb", "#fff176", "#a1887f", "#90a4ae"];
const ROWS_LIGHT = ["#37474f", "#0277bd", "#ef6c00", "#2e7d32", "#c2185b", "#5e35b1", "#9e9d24", "#5d4037", "#455a64"];

const PLOTS = ["polar", "straight", "chart", "tilt"];
const TITLES = { polar: "azimuth", straight: "straight", chart: "multiblade", tilt: "tips", all: "all" };

function floats(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

// ends and step of an axis with about `count` parts
function ticks(low, high, count) {
  // what hardly changes is drawn as a line in the middle
  if (!(high - low > 1e-5 * Math.max(Math.abs(low), Math.abs(high)))) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
  const rough = (high - low) / count, p = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = p * [1, 2, 2.5, 5, 10].find((f) => f * p >= rough * 0.999);
  return { low: Math.floor(low / step + 1e-6) * step, high: Math.ceil(high / step - 1e-6) * step, step };
}

function label(x, step) {
  if (Math.abs(x) < 1e-9 * step) return "0";
  const big = Math.max(Math.abs(x), step);
  if (big >= 1e5 || step < 1e-4) return x.toExponential(1);
  return x.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-6) + (Math.abs(step * 4 - Math.round(step * 4)) < 1e-9 && step % 0.5 ? 1 : 0))).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

// three digits of what can be told apart on the axis
function number(x, span) {
  return Math.abs(x) < 1e-3 * span ? "0" : String(Number(x.toPrecision(3)));
}

export default {
  template: `
    <div style="width: 100%; position: relative; display: flex; flex-direction: column; justify-content: center">
      <div style="display: flex; align-items: center">
        <q-btn-toggle v-model="only" dense flat no-caps size="sm" toggle-color="primary" class="q-gutter-x-xs"
                      :options="choices" @update:model-value="chosen" />
        <div style="flex: 1"></div>
        <q-btn dense flat round size="sm" icon="fullscreen" aria-label="whole screen" @click="whole" />
      </div>
      <div style="display: grid; width: 100%; gap: 0.5rem;
           grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr))">
        <div v-for="name in plots" :key="name" v-show="only === 'all' || only === name"
             :style="{ position: 'relative', minWidth: 0, height: only === 'all' ? '20rem' : '16rem' }">
          <canvas :ref="name" style="position: absolute; inset: 0; width: 100%; height: 100%"></canvas>
        </div>
      </div>
    </div>`,
  props: { blades: Array, sense: Number, zero: String },
  data() {
    return { only: "all", plots: PLOTS, choices: [...PLOTS, "all"].map((name) => ({ label: TITLES[name], value: name })) };
  },
  mounted() {
    this.found = {};
    this.observer = new ResizeObserver(() => {
      // where there is no room for two side by side, one at a time, unless somebody has chosen
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize), x = this.$el.clientWidth;
      if (x && !this.picked) this.only = x > 40 * rem ? "all" : this.only === "all" ? "polar" : this.only;
      this.redraw();
    });
    this.observer.observe(this.$el);
    this.watcher = new IntersectionObserver((seen) => this.$emit("seen", { on: seen[seen.length - 1].isIntersecting }));
    this.watcher.observe(this.$el);
  },
  beforeUnmount() {
    this.observer.disconnect();
    this.watcher.disconnect();
  },
  methods: {
    // head: names, units, sizes; text: all numbers, one array after the other
    show(head, text) {
      const all = floats(text), parts = {};
      let at = 0;
      for (const [name, size] of head.arrays) {
        parts[name] = all.subarray(at, at + size);
        at += size;
      }
      this.found = { ...this.found, ...head, parts };
      this.redraw(["polar", "straight", "chart"]);
      this.shows = (this.shows || 0) + 1;
    },
    tilt(found) {
      this.found.tilt = found;
      this.redraw(["tilt"]);
    },
    chosen() {
      this.picked = true;
      this.$nextTick(() => this.redraw());
    },
    whole() {
      const e = this.$el;
      if (document.fullscreenElement) return document.exitFullscreen();
      this.only = "all";
      e.style.background = getComputedStyle(document.body).backgroundColor;
      e.requestFullscreen?.();
    },
    redraw(names) {
      if (this.waiting) {
        this.wanted = new Set([...this.wanted, ...(names || PLOTS)]);
        return;
      }
      this.wanted = new Set(names || PLOTS);
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        for (const name of this.wanted) this.draw(name);
      });
    },
    draw(name) {
      const canvas = [].concat(this.$refs[name])[0];
      if (!canvas) return;
      // all sizes follow the font size of the page
      const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15;
      const ratio = (window.devicePixelRatio || 1) * zoom, x = canvas.clientWidth / zoom, y = canvas.clientHeight / zoom;
      if (!x || !y) return;
      if (canvas.width !== Math.round(x * ratio) || canvas.height !== Math.round(y * ratio)) {
        canvas.width = Math.round(x * ratio);
        canvas.height = Math.round(y * ratio);
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, x, y);
      const color = getComputedStyle(this.$el).color;
      const [r, g, b] = color.match(/\d+(\.\d+)?/g).map(Number);
      this.dark = r + g + b > 384;
      const ink = (a) => `rgba(${r}, ${g}, ${b}, ${a})`;
      pen.font = "11px Roboto, sans-serif";
      pen.lineJoin = "round";
      this["draw_" + name](pen, x, y, ink);
    },
    // straight axes with ticks; returns where things are
    axes(pen, x, y, ink, box, across, up, names) {
      const [left, top, right, bottom] = [box[0], box[1], x - box[2], y - box[3]];
      const X = (v) => left + ((v - across.low) / (across.high - across.low)) * (right - left);
      const Y = (v) => bottom - ((v - up.low) / (up.high - up.low)) * (bottom - top);
      pen.strokeStyle = ink(0.16);
      pen.fillStyle = ink(0.75);
      pen.lineWidth = 1;
      pen.textAlign = "center";
      pen.textBaseline = "top";
      for (let k = 0; k <= Math.round((across.high - across.low) / across.step); k++) {
        const v = across.first + k * across.step;
        if (v > across.high + 1e-9 * across.step) break;
        pen.beginPath();
        pen.moveTo(X(v), top);
        pen.lineTo(X(v), bottom);
        pen.stroke();
        pen.fillText(label(v + (across.shift || 0), across.step), X(v), bottom + 4);
      }
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      for (let k = 0; k <= Math.round((up.high - up.low) / up.step); k++) {
        const v = up.low + k * up.step;
        pen.beginPath();
        pen.moveTo(left, Y(v));
        pen.lineTo(right, Y(v));
        pen.stroke();
        pen.fillText(label(v, up.step), left - 5, Y(v));
      }
      pen.textAlign = "right";
      pen.textBaseline = "bottom";
      pen.fillText(names[0], right, y - 1);
      pen.textAlign = "left";
      pen.textBaseline = "top";
      pen.fillText(names[1], 4, 2);
      return { X, Y, left, top, right, bottom };
    },
    nothing(pen, x, y, ink) {
      pen.fillStyle = ink(0.6);
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(this.found.empty || "waiting for a revolution", x / 2, y / 2);
    },
    // the lines of all blades, the oldest pieces first: azimuth and value at both ends, age in turns; none over a gap
    pieces(pen, most, place) {
      const d = this.found, psi = d.parts.psi, values = d.parts.values, count = psi.length, last = psi[count - 1];
      for (let i = 1; i < count; i++) {
        if (Math.abs(psi[i] - psi[i - 1]) > d.gap) continue;
        const back = (last - psi[i]) / (2 * Math.PI);
        pen.globalAlpha = Math.max(0.06, most * (1 - back / d.turns));
        pen.lineWidth = back < 1 ? 1.8 : 1;
        for (let k = 0; k < d.ahead.length; k++) {
          const a = place(psi[i - 1] + d.ahead[k], values[k * count + i - 1]);
          const b = place(psi[i] + d.ahead[k], values[k * count + i]);
          if (b[2] < a[2]) continue; // over the end of the axis
          pen.strokeStyle = BLADES[k % BLADES.length];
          pen.beginPath();
          pen.moveTo(a[0], a[1]);
          pen.lineTo(b[0], b[1]);
          pen.stroke();
        }
      }
      pen.globalAlpha = 1;
    },
    draw_polar(pen, x, y, ink) {
      const d = this.found;
      if (!d.parts?.psi?.length) return this.nothing(pen, x, y, ink);
      const cx = x / 2, cy = (y + 4) / 2, R = Math.min(x / 2 - 34, y / 2 - 26), inner = 0.22 * R;
      const a = ticks(d.low, d.high, 3), sense = this.sense;
      const radius = (v) => inner + ((v - a.low) / (a.high - a.low)) * (R - inner);
      // zero below, in the sense of rotation seen from above
      const X = (psi, r) => cx + r * Math.sin(sense * psi), Y = (psi, r) => cy + r * Math.cos(sense * psi);
      pen.strokeStyle = ink(0.18);
      pen.lineWidth = 1;
      for (let v = a.low; v <= a.high + 1e-9 * a.step; v += a.step) {
        pen.beginPath();
        pen.arc(cx, cy, radius(v), 0, 2 * Math.PI);
        pen.stroke();
      }
      pen.fillStyle = ink(0.75);
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      for (let k = 0; k < 12; k++) {
        const psi = (k * Math.PI) / 6;
        pen.beginPath();
        pen.moveTo(X(psi, inner), Y(psi, inner));
        pen.lineTo(X(psi, R), Y(psi, R));
        pen.stroke();
        if (k % 3 === 0) pen.fillText(`${30 * k}°`, X(psi, R + 16), Y(psi, R + 12));
      }
      this.pieces(pen, 0.95, (psi, v) => [X(psi, radius(v)), Y(psi, radius(v)), 0]);
      for (let k = 0; k < d.ahead.length; k++) {
        const n = d.parts.psi.length, psi = d.parts.psi[n - 1] + d.ahead[k], r = radius(d.parts.values[(k + 1) * n - 1]);
        pen.fillStyle = BLADES[k % BLADES.length];
        pen.beginPath();
        pen.arc(X(psi, r), Y(psi, r), 4, 0, 2 * Math.PI);
        pen.fill();
      }
      pen.fillStyle = ink(0.85);
      pen.textAlign = "center";
      const every = label(a.high - a.step, a.step).length > 4 ? 2 * a.step : a.step;
      for (let v = a.high; v >= a.low - 1e-9 * a.step; v -= every)
        pen.fillText(label(v, a.step), X(2.36 * sense, radius(v)), Y(2.36 * sense, radius(v)));
      // where it turns
      pen.strokeStyle = pen.fillStyle = ink(0.8);
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (let k = 0; k <= 12; k++) pen.lineTo(X(0.9 + k * 0.035, R + 10), Y(0.9 + k * 0.035, R + 10));
      pen.stroke();
      pen.beginPath();
      pen.moveTo(X(1.4, R + 10), Y(1.4, R + 10));
      pen.lineTo(X(1.3, R + 6), Y(1.3, R + 6));
      pen.lineTo(X(1.3, R + 14), Y(1.3, R + 14));
      pen.fill();
      pen.textAlign = "left";
      pen.textBaseline = "top";
      pen.fillStyle = ink(0.85);
      pen.fillText(`${d.name} [${d.unit}]`, 4, 2);
      pen.fillStyle = ink(0.6);
      pen.textBaseline = "bottom";
      pen.fillText(`ψ = 0 ${this.zero}`, 4, y - 14);
      pen.fillText(sense > 0 ? "counter-clockwise" : "clockwise", 4, y - 1);
      this.legend(pen, x, 2, ink);
    },
    legend(pen, x, y, ink) {
      pen.textBaseline = "top";
      pen.textAlign = "right";
      this.blades.forEach((name, k) => {
        pen.fillStyle = BLADES[k % BLADES.length];
        pen.fillText(name, x - 4, y + 13 * k);
      });
    },
    draw_straight(pen, x, y, ink) {
      const d = this.found;
      if (!d.parts?.psi?.length) return this.nothing(pen, x, y, ink);
      const across = { low: 0, first: 0, high: 360, step: 90 }, up = ticks(d.low, d.high, 5);
      const { X, Y } = this.axes(pen, x, y, ink, [48, 20, 10, 30], across, up, ["azimuth ψ [deg]", `${d.name} [${d.unit}], dashed: mean of ${d.counted} turns`]);
      this.pieces(pen, 0.85, (psi, v) => {
        const t = psi / (2 * Math.PI), at = X(360 * (t - Math.floor(t)));
        return [at, Y(v), at];
      });
      const mean = d.parts.mean, step = 360 / mean.length;
      pen.strokeStyle = ink(0.95);
      pen.lineWidth = 1.5;
      pen.setLineDash([7, 6]);
      pen.beginPath();
      let on = false;
      for (let j = 0; j <= mean.length; j++) {
        const i = j % mean.length;
        if (Number.isNaN(mean[i])) continue;
        on ? pen.lineTo(X(j * step), Y(mean[i])) : pen.moveTo(X(j * step), Y(mean[i]));
        on = true;
      }
      pen.stroke();
      pen.setLineDash([]);
    },
    draw_chart(pen, x, y, ink) {
      const d = this.found, time = d.parts?.time;
      if (!time?.length) return this.nothing(pen, x, y, ink);
      const n = time.length, rows = d.rows, values = d.parts.coefficients;
      const span = Math.max(Math.min(d.seconds, time[n - 1] - time[0]), 0.1);
      const across = { low: time[n - 1] - span, high: time[n - 1], step: ticks(0, span, 5).step };
      across.first = Math.ceil((d.now - span) / across.step) * across.step - d.now;
      across.shift = d.now;
      let low = Infinity, high = -Infinity;
      for (const v of values) [low, high] = [Math.min(low, v), Math.max(high, v)];
      const up = ticks(low, high, 5);
      const colors = (this.dark ? ROWS : ROWS_LIGHT).slice(rows[0] === "mean" ? 0 : 1);
      let at = 50, line = 17;
      const words = rows.map((name, k) => {
        const text = `${name} ${number(values[(k + 1) * n - 1], high - low)}`, width = pen.measureText(text).width + 12;
        if (at + width > x && at > 50) [at, line] = [50, line + 13];
        at += width;
        return [text, at - width, line, colors[k % colors.length]];
      });
      const { X, Y, left, right } = this.axes(pen, x, y, ink, [48, line + 19, 10, 30], across, up, ["time [s]", `${d.name} [${d.unit}], multiblade coordinates`]);
      pen.save();
      pen.beginPath();
      pen.rect(left, 0, right - left, y);
      pen.clip();
      rows.forEach((name, k) => {
        pen.strokeStyle = colors[k % colors.length];
        pen.lineWidth = 1.5;
        pen.beginPath();
        for (let i = 0; i < n; i++) pen.lineTo(X(time[i]), Y(values[k * n + i]));
        pen.stroke();
      });
      pen.restore();
      pen.textBaseline = "top";
      pen.textAlign = "left";
      for (const [text, from, top, color] of words) {
        pen.fillStyle = color;
        pen.fillText(text, from, top);
      }
    },
    draw_tilt(pen, x, y, ink) {
      const t = this.found.tilt;
      if (!t) return this.nothing(pen, x, y, ink);
      const cx = x / 2, cy = y / 2 + 6, R = Math.min(x / 2 - 40, y / 2 - 34), sense = this.sense, deg = 180 / Math.PI;
      pen.fillStyle = ink(0.85);
      pen.textAlign = "left";
      pen.textBaseline = "top";
      pen.fillText("tips: coning and tilt [deg]", 4, 2);
      const say = (text, k) => pen.fillText(text, 4, y - 44 + 14 * k);
      say(`coning ${(t.coning * deg).toFixed(2)}`, 0);
      if (t.cosine === null) return this.nothing(pen, x, y, ink);
      say(`1c ${(t.cosine * deg).toFixed(2)}`, 1);
      say(`1s ${(t.sine * deg).toFixed(2)}`, 2);
      const size = Math.hypot(t.cosine, t.sine) * deg;
      if (!this.reach || size > this.reach || size < 0.2 * this.reach) this.reach = [0.5, 1, 2, 5, 10, 20, 45].find((r) => r > 1.15 * size) || 90;
      pen.strokeStyle = ink(0.2);
      pen.lineWidth = 1;
      for (const part of [0.5, 1]) {
        pen.beginPath();
        pen.arc(cx, cy, part * R, 0, 2 * Math.PI);
        pen.stroke();
        pen.fillStyle = ink(0.6);
        pen.textAlign = "left";
        pen.textBaseline = "bottom";
        pen.fillText(`${part * this.reach}`, cx + part * R * 0.71 + 2, cy - part * R * 0.71);
      }
      pen.beginPath();
      pen.moveTo(cx - R, cy);
      pen.lineTo(cx + R, cy);
      pen.moveTo(cx, cy - R);
      pen.lineTo(cx, cy + R);
      pen.stroke();
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      for (let k = 0; k < 4; k++) {
        const psi = (sense * k * Math.PI) / 2;
        pen.fillText(`${90 * k}°`, cx + (R + 15) * Math.sin(psi), cy + (R + 11) * Math.cos(psi));
      }
      // the blades, short and long as their tips are low and high
      t.psi.forEach((psi, k) => {
        pen.strokeStyle = BLADES[k % BLADES.length];
        pen.globalAlpha = 0.5;
        pen.lineWidth = 2;
        pen.beginPath();
        pen.moveTo(cx, cy);
        pen.lineTo(cx + 0.3 * R * Math.sin(sense * psi), cy + 0.3 * R * Math.cos(sense * psi));
        pen.stroke();
        pen.globalAlpha = 1;
      });
      // where the axis of the tips' plane leans: away from where they are high
      const dx = (-R * t.cosine * deg) / this.reach, dy = (-R * t.sine * deg) / this.reach;
      const px = cx + sense * dy, py = cy + dx;
      pen.strokeStyle = pen.fillStyle = this.dark ? "#ffca28" : "#ef6c00";
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.moveTo(cx, cy);
      pen.lineTo(px, py);
      pen.stroke();
      pen.beginPath();
      pen.arc(px, py, 6, 0, 2 * Math.PI);
      pen.fill();
      pen.textAlign = "right";
      pen.textBaseline = "bottom";
      pen.fillStyle = ink(0.6);
      pen.fillText("axis of the tips' plane", x - 4, y - 1);
    },
  },
};
