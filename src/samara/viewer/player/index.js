// Plays runs and modes of a page: what is in its block of data is unpacked, moved by time, and drawn.
import { CAMERAS } from "samara-flight";
import { Machine, VIEWS, colourOf, tracePoints } from "samara-machine";
import { THREE } from "nicegui-scene";

const SPEEDS = [["real time", 1], ["1/2", 0.5], ["1/5", 0.2], ["1/10", 0.1], ["1/20", 0.05], ["1/50", 0.02], ["1/100", 0.01], ["2 x", 2], ["5 x", 5], ["20 x", 20]];
const GHOST = "#ff8a65", TRACES = ["#ff5252", "#40c4ff", "#b2ff59", "#ffd740", "#e040fb", "#ffffff"];
const CURVES = ["#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5"];
const SWING = 0.1, CYCLE = 2.5; // the largest motion of a mode, of the machine's size, and its shown period [s]
const FIRST = 200; // entries of a list before somebody searches it

// ---- data
export function opened(buffer) {
  const length = new DataView(buffer).getUint32(0, true), base = 4 + length;
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const floats = ({ at, count }) => new Float32Array(buffer.slice(base + at, base + at + 4 * count));
  // levels of 16 bits, low halves first, each the difference to the one before; 0 is a number that is none
  const column = (ref, k) => {
    ref.lows ??= floats(ref.low);
    ref.steps ??= floats(ref.step);
    const n = ref.rows, bytes = new Uint8Array(buffer, base + ref.at, 2 * n * ref.columns), half = n * ref.columns;
    const found = new Float32Array(n);
    for (let i = 0, level = 0; i < n; i++) {
      level = (level + bytes[k * n + i] + 256 * bytes[half + k * n + i]) & 65535;
      found[i] = level ? ref.lows[k] + ref.steps[k] * (level - 1) : NaN;
    }
    return found;
  };
  return { head, floats, column };
}

// the sample at or before a time, and the part of the way to the next
function where(time, t) {
  let low = 0, high = time.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  if (time.length < 2 || t <= time[0]) return [0, 0];
  return [low, Math.min((t - time[low]) / (time[low + 1] - time[low]), 1)];
}

// rotation by rows of a quaternion (x, y, z, w) into twelve numbers of a pose
function turn([x, y, z, w], poses, n) {
  poses[n + 3] = 1 - 2 * (y * y + z * z);
  poses[n + 4] = 2 * (x * y - z * w);
  poses[n + 5] = 2 * (x * z + y * w);
  poses[n + 6] = 2 * (x * y + z * w);
  poses[n + 7] = 1 - 2 * (x * x + z * z);
  poses[n + 8] = 2 * (y * z - x * w);
  poses[n + 9] = 2 * (x * z - y * w);
  poses[n + 10] = 2 * (y * z + x * w);
  poses[n + 11] = 1 - 2 * (x * x + y * y);
}

export class Run {
  constructor(data, run) {
    const { poses, ...own } = run;
    Object.assign(this, own, { data });
    this.nodes = run.scene.nodes.length;
    this.at = data.floats(run.time);
    this.centre = data.floats(run.middle);
    this.columns = Array.from({ length: 7 * this.nodes }, (_, k) => data.column(poses, k));
    this.curveTime = data.floats(run.curves.time);
    this.known = new Map();
    this.end = this.at[this.at.length - 1];
  }
  // poses at a time: places by a cubic through the frames, rotations evenly from one to the next
  poses(t, found = new Float32Array(12 * this.nodes)) {
    const { at, columns, centre } = this, [i, x] = where(at, t), last = at.length - 1;
    const j = Math.min(i + 1, last), h = i > 0 ? i - 1 : i, k = Math.min(j + 1, last);
    const span = at[j] - at[i] || 1, before = i > h ? span / (at[j] - at[h]) : 1, after = k > j ? span / (at[k] - at[i]) : 1;
    const a = (1 + 2 * x) * (1 - x) ** 2, b = x * (1 - x) ** 2, c = x * x * (3 - 2 * x), d = x * x * (x - 1);
    const cubic = (y) => a * y(i) + b * before * (y(j) - y(h)) + c * y(j) + d * after * (y(k) - y(i));
    const from = new THREE.Quaternion(), to = new THREE.Quaternion();
    for (let n = 0; n < this.nodes; n++) {
      for (let r = 0; r < 3; r++) {
        const own = columns[7 * n + r];
        found[12 * n + r] = x ? cubic((f) => own[f] + centre[3 * f + r]) : own[i] + centre[3 * i + r];
      }
      const [p, q, r, s] = columns.slice(7 * n + 3, 7 * n + 7);
      from.set(p[i], q[i], r[i], s[i]).normalize();
      if (x) from.slerp(to.set(p[j], q[j], r[j], s[j]).normalize(), x);
      turn([from.x, from.y, from.z, from.w], found, 12 * n);
    }
    return found;
  }
  curve(column) {
    if (!this.known.has(column)) this.known.set(column, this.data.column(this.curves.values, column));
    return this.known.get(column);
  }
  value(column, t) {
    const [i, x] = where(this.curveTime, t), y = this.curve(column);
    return x ? y[i] + x * (y[i + 1] - y[i]) : y[i];
  }
  // between which all but one in twenty lie, at either end
  usual(columns) {
    const all = columns.flatMap((column) => Array.from(this.curve(column))).filter(Number.isFinite).sort((a, b) => a - b);
    return all.length ? [all[Math.floor(0.05 * all.length)], all[Math.ceil(0.95 * all.length) - 1]] : [0, 1];
  }
  range(columns) {
    let low = Infinity, high = -Infinity;
    for (const column of columns)
      for (const y of this.curve(column)) {
        if (y < low) low = y;
        if (y > high) high = y;
      }
    return low <= high ? [low, high] : [0, 1];
  }
}

// ---- parts of the page
function make(kind, more = {}, ...inside) {
  const { data, ...own } = more, element = Object.assign(document.createElement(kind), own);
  Object.assign(element.dataset, data || {});
  element.append(...inside);
  return element;
}

function choice(label, options, changed) {
  const select = make("select", { ariaLabel: label });
  options.forEach((text, k) => select.add(new Option(text, k)));
  select.onchange = () => changed(Number(select.value));
  return make("label", {}, label, select);
}

function tick(label, on, changed) {
  const box = make("input", { type: "checkbox", checked: on });
  box.onchange = () => changed(box.checked);
  return make("label", {}, box, " " + label);
}

// a list that opens, with what is chosen of it; changed: numbers of the chosen ones
function picker(label, options, changed) {
  const chosen = new Set(), list = make("div", { className: "list" });
  const search = make("input", { type: "search", placeholder: "search", ariaLabel: "search " + label });
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), fits = [];
    options.forEach((text, k) => {
      if (chosen.has(k) || words.every((w) => text.toLowerCase().includes(w))) fits.push(k);
    });
    fits.sort((a, b) => chosen.has(b) - chosen.has(a) || a - b);
    list.replaceChildren(...fits.slice(0, FIRST).map((k) => tick(options[k], chosen.has(k), (on) => {
      if (on) chosen.add(k);
      else chosen.delete(k);
      changed([...chosen]);
    })));
    if (fits.length > FIRST) list.append(`and ${fits.length - FIRST} more: search`);
  };
  search.oninput = fill;
  fill();
  return make("details", {}, make("summary", { textContent: `${label} (${options.length})` }), ...(options.length > 12 ? [search] : []), list);
}

const short = (x) => (Number.isFinite(x) ? Number(x.toPrecision(4)).toString() : "-");

// ---- what is seen besides bodies
class Arrows {
  constructor(run, root, size) {
    Object.assign(this, { run, size, chosen: [], root: new THREE.Group(), scale: 1 });
    root.add(this.root);
  }
  choose(chosen) {
    this.chosen = chosen.map((k) => this.run.vectors[k]);
    this.root.clear();
    this.largest = {};
    for (const v of this.chosen) {
      const [low, high] = this.run.range([v.column, v.column + 1, v.column + 2]);
      this.largest[v.unit] = Math.max(this.largest[v.unit] || 0, -low, high) || 1;
    }
    this.arrows = this.chosen.map((v) => {
      const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, v.unit === "N" ? "#ff5252" : "#ffd740");
      arrow.traverse((o) => (o.frustumCulled = false));
      this.root.add(arrow);
      return arrow;
    });
  }
  move(shape, t) {
    this.chosen.forEach((v, k) => {
      const frame = shape.place(v.node, v.pose), value = new THREE.Vector3(...[0, 1, 2].map((i) => this.run.value(v.column + i, t)));
      const part = value.length() / this.largest[v.unit], arrow = this.arrows[k];
      arrow.visible = part > 1e-3;
      if (!arrow.visible) return;
      const length = 0.25 * this.size * this.scale * part;
      arrow.position.setFromMatrixPosition(frame);
      arrow.setDirection(value.transformDirection(frame));
      arrow.setLength(length, Math.min(0.03 * this.size, 0.3 * length), Math.min(0.012 * this.size, 0.15 * length));
    });
  }
}

class Traces {
  constructor(run, shape, root) {
    Object.assign(this, { run, shape, root: new THREE.Group(), lines: [] });
    root.add(this.root);
  }
  choose(points) {
    const { run, shape } = this, { node, offset } = shape.scene, n = run.at.length;
    this.root.clear();
    this.lines = points.map((point, k) => {
      const places = new Float32Array(3 * n), [x, y, z] = offset[point], m = 12 * node[point];
      for (let i = 0; i < n; i++) {
        const p = run.poses(run.at[i]);
        for (let r = 0; r < 3; r++)
          places[3 * i + r] = p[m + r] + p[m + 3 + 3 * r] * x + p[m + 4 + 3 * r] * y + p[m + 5 + 3 * r] * z;
      }
      const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: TRACES[k % TRACES.length] }));
      line.frustumCulled = false;
      this.root.add(line);
      return line;
    });
  }
  move(t) {
    const [i] = where(this.run.at, t);
    for (const line of this.lines) line.geometry.setDrawRange(0, i + 2);
  }
}

class Wake {
  constructor(run, root) {
    const { wake, data } = run, pairs = [], colours = [];
    this.time = data.floats(wake.time);
    this.centre = data.floats(wake.middle);
    this.columns = Array.from({ length: wake.points.columns }, (_, k) => data.column(wake.points, k));
    let first = 0;
    wake.lengths.forEach((n, f) => {
      for (let i = 0; i + 1 < n; i++) pairs.push(first + i, first + i + 1);
      first += n;
    });
    this.places = new THREE.BufferAttribute(new Float32Array(this.columns.length), 3);
    const tint = (f) => new THREE.Color(wake.signs[f] < 0 ? "#ff8a80" : "#80d8ff");
    wake.lengths.forEach((n, f) => {
      for (let i = 0; i < n; i++) colours.push(...tint(f).lerp(new THREE.Color("#27313a"), (0.7 * i) / n).toArray());
    });
    const geometry = new THREE.BufferGeometry().setAttribute("position", this.places);
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
    geometry.setIndex(pairs);
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    this.lines.frustumCulled = false;
    root.add(this.lines);
  }
  move(t) {
    const i = Math.round(where(this.time, t).reduce((a, b) => a + b));
    this.columns.forEach((column, k) => (this.places.array[k] = column[i] + this.centre[3 * i + (k % 3)]));
    this.places.needsUpdate = true;
  }
}

// ---- curves with a line at the present time
class Plot {
  constructor(runs, column, seek) {
    Object.assign(this, { runs, column, seek, canvas: make("canvas", { data: { plot: runs[0].curves.labels[column] } }) });
    this.canvas.onpointerdown = this.canvas.onpointermove = (e) => {
      if (e.type === "pointermove" && !e.buttons) return;
      this.seek(((e.offsetX - 60) / Math.max(this.canvas.clientWidth - 72, 1)) * this.end);
    };
    const label = runs[0].curves.labels[column];
    this.curves = runs.map((run) => [run, run.curves.labels.indexOf(label)]).filter(([, k]) => k >= 0);
    this.end = Math.max(...runs.map((run) => run.end));
    const ranges = this.curves.map(([run, k]) => run.range([k]));
    this.low = Math.min(...ranges.map((r) => r[0]));
    this.high = Math.max(...ranges.map((r) => r[1]));
    if (this.low === this.high) [this.low, this.high] = [this.low - 0.5, this.high + 0.5];
  }
  draw(t) {
    const { canvas, low, high } = this, pixel = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = w * pixel;
    canvas.height = h * pixel;
    const pen = canvas.getContext("2d"), x = (s) => 60 + ((w - 72) * s) / (this.end || 1), y = (v) => 20 + ((h - 30) * (high - v)) / (high - low);
    pen.scale(pixel, pixel);
    pen.strokeStyle = "#455a64";
    pen.strokeRect(60, 20, w - 72, h - 30);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = "#b0bec5";
    pen.textAlign = "right";
    pen.fillText(short(high), 55, 24);
    pen.fillText(short(low), 55, h - 8);
    pen.textAlign = "left";
    const { labels, units } = this.runs[0].curves, [main, k] = this.curves[0];
    pen.fillText(`${labels[this.column]} [${units[this.column]}]   ${short(main.value(k, t))}`, 62, 13);
    this.curves.forEach(([run, column], which) => {
      const values = run.curve(column);
      pen.strokeStyle = which ? GHOST : CURVES[0];
      pen.beginPath();
      let down = false;
      values.forEach((v, i) => {
        if (!Number.isFinite(v)) return (down = false);
        if (down) pen.lineTo(x(run.curveTime[i]), y(v));
        else pen.moveTo(x(run.curveTime[i]), y(v));
        down = true;
      });
      pen.stroke();
    });
    pen.strokeStyle = "#ffeb3b";
    pen.beginPath();
    pen.moveTo(x(t), 20);
    pen.lineTo(x(t), h - 10);
    pen.stroke();
  }
}

// ---- the page
class Player {
  constructor(data) {
    this.data = data;
    this.byId = (id) => document.getElementById(id);
    this.tools = this.byId("tools");
    this.tools.append(make("h1", { textContent: data.head.title }));
    this.now = 0;
    this.speed = 1;
    this.running = false;
    this.plots = [];
  }
  view(scene, craft = -1) {
    const host = this.byId("view"), canvas = host.querySelector("canvas");
    this.machine = new Machine(host, canvas, scene, (text) => (this.byId("note").textContent = text));
    const add = (...parts) => this.tools.append(...parts), views = make("div", { className: "row" });
    for (const name of Object.keys(VIEWS)) {
      const button = make("button", { type: "button", textContent: name });
      button.onclick = () => this.machine.look(name);
      views.append(button, " ");
    }
    add(views);
    const names = ["camera free", ...scene.nodes.map((name) => "follow " + name)];
    const camera = choice("camera", names, (k) => this.machine.follow(k - 1));
    add(camera);
    if (craft >= 0 && !scene.sticks) {
      camera.querySelector("select").value = craft + 1;
      this.followed = craft;
    }
    if (scene.sticks) add(choice("flight", CAMERAS, (k) => this.machine.shoot(CAMERAS[k])));
    add(tick("bodies", true, (on) => this.machine.dress(on)));
  }
  play_runs() {
    const { head } = this.data, runs = (this.runs = head.runs.map((run) => new Run(this.data, run))), [run] = runs;
    this.end = Math.max(...runs.map((r) => r.end));
    for (const r of runs) for (const text of [r.standIn, r.status === "completed" ? "" : r.status]) if (text) this.tools.append(make("div", { className: "row", textContent: text }));
    this.view(run.scene, run.craft);
    const { machine } = this, root = machine.world.root;
    for (const other of runs.slice(1)) machine.lay_over(other.scene, GHOST);
    this.show();
    if (this.followed >= 0) machine.follow(this.followed);
    if (!run.scene.sticks) machine.look("iso");
    this.arrows = new Arrows(run, root, machine.world.state.size);
    this.traces = new Traces(run, machine.shape, root);
    const points = tracePoints(run.scene, run.scene.nodes), anew = () => this.show();
    if (runs.length > 1) this.tools.append(tick("the other run, in orange", true, (on) => {
      for (const shape of machine.shapes.slice(1)) {
        shape.bodies.visible = on;
        for (const mesh of [shape.rods, shape.balls]) mesh.visible = on;
      }
      machine.world.state.dirty = true;
    }));
    if (run.colours.length) this.tools.append(choice("colour", ["of the parts", ...run.colours.map((c) => `${c.name} [${c.unit}]`)], (k) => this.colour(run.colours[k - 1])));
    if (run.vectors.length) {
      const size = make("input", { type: "range", min: -1, max: 1, step: 0.01, value: 0, ariaLabel: "size of vectors" });
      size.oninput = () => {
        this.arrows.scale = 10 ** size.value;
        anew();
      };
      const list = picker("vectors", run.vectors.map((v) => `${v.name} [${v.unit}]`), (chosen) => {
        this.arrows.choose(chosen);
        anew();
      });
      list.append(make("label", {}, "size", size));
      this.tools.append(list);
    }
    this.tools.append(picker("traces", points.map((p) => p.label), (chosen) => {
      this.traces.choose(chosen.map((k) => points[k].value));
      anew();
    }));
    if (run.wake) {
      this.wake = new Wake(run, root);
      this.tools.append(tick("wake", true, (on) => {
        this.wake.lines.visible = on;
        machine.world.state.dirty = true;
      }));
    }
    if (run.curves.labels.length) this.tools.append(picker("plots", run.curves.labels, (chosen) => this.plot(chosen)));
    this.drive();
  }
  plot(chosen) {
    const host = this.byId("plots");
    this.plots = chosen.map((k) => this.plots.find((p) => p.column === k) || new Plot(this.runs, k, (t) => this.seek(t)));
    host.replaceChildren(...this.plots.map((p) => p.canvas));
    host.hidden = !this.plots.length;
    this.show();
  }
  colour(quantity) {
    const legend = this.byId("legend");
    this.coloured = quantity;
    legend.hidden = !quantity;
    if (quantity) {
      const [low, high] = (this.ends = this.runs[0].usual(Object.values(quantity.skins).flatMap((skin) => skin.columns)));
      const ends = make("div", { className: "ends" }, make("span", { textContent: short(low) }), make("span", { textContent: short(high) }));
      legend.replaceChildren(`${quantity.name} [${quantity.unit}]`, make("div", { className: "bar" }), ends);
    }
    this.show();
  }
  show() {
    const { machine, runs, now } = this;
    if (!runs.length) return this.show_mode();
    machine.move(...runs.map((run) => run.poses(Math.min(now, run.end))));
    const { coloured } = this, [run] = runs;
    if (coloured) {
      const [low, high] = this.ends, part = (column) => (run.value(column, now) - low) / (high - low || 1);
      machine.shape.paint(machine.shape.skins.map((_, k) => coloured.skins[k] && { at: coloured.skins[k].at, values: coloured.skins[k].columns.map(part) }));
    } else machine.shape.paint(null);
    this.arrows?.move(machine.shape, now);
    this.traces?.move(now);
    this.wake?.move(now);
    for (const plot of this.plots) plot.draw(now);
    const [along, unit] = run.along, at = (run.start + now).toFixed(3);
    this.byId("now").textContent = along === "time" ? `${at} ${unit}` : `${along} ${at}`;
    this.byId("time").value = now;
    document.body.dataset.time = at;
  }
  seek(t) {
    this.now = Math.min(Math.max(t, 0), this.end);
    this.show();
  }
  drive() {
    const slider = this.byId("time"), button = this.byId("run"), speed = this.byId("speed");
    slider.max = this.end;
    slider.oninput = () => this.seek(Number(slider.value));
    SPEEDS.forEach(([text], k) => speed.add(new Option(text, k)));
    speed.onchange = () => (this.speed = SPEEDS[speed.value][1]);
    const press = () => {
      this.running = !this.running;
      if (this.running && this.now >= this.end) this.now = 0;
      button.textContent = this.running ? "pause" : "play";
    };
    button.onclick = press;
    document.addEventListener("keydown", (e) => {
      if (["INPUT", "SELECT", "BUTTON", "SUMMARY"].includes(e.target.tagName)) return;
      if (e.key === " ") press();
      else if (e.key === "ArrowRight" || e.key === "ArrowLeft") this.seek(this.now + (e.key === "ArrowRight" ? 1 : -1) * 0.05 * this.speed);
      else return;
      e.preventDefault();
    });
    let last = null;
    const step = (now) => {
      requestAnimationFrame(step);
      if (this.running && last !== null) {
        this.now += (this.speed * Math.min(now - last, 100)) / 1000;
        if (this.now > this.end) this.now = 0;
        this.show();
      }
      last = now;
    };
    requestAnimationFrame(step);
    new ResizeObserver(() => this.plots.forEach((p) => p.draw(this.now))).observe(this.byId("plots"));
  }
  // ---- modes: the real part of a motion at a phase, u = re cos - im sin
  play_modes() {
    const { head, floats } = this.data;
    this.runs = [];
    this.modes = head.modes.map((m) => ({ ...m, re: floats(m.re), im: floats(m.im) }));
    this.rest = floats(head.poses);
    this.swing = 1;
    this.mode = this.modes[0];
    this.end = CYCLE;
    this.view(head.scene);
    this.machine.move(this.rest);
    this.sizes = new Map();
    const size = make("input", { type: "range", min: 0, max: 4, step: 0.05, value: 1, ariaLabel: "swing" });
    size.oninput = () => {
      this.swing = Number(size.value);
      this.show();
    };
    this.tools.prepend(choice("mode", this.modes.map((m) => m.name), (k) => {
      this.mode = this.modes[k];
      this.show();
    }));
    this.tools.append(make("label", {}, "swing", size));
    this.drive();
    this.running = true;
    this.byId("run").textContent = "pause";
  }
  // how far a motion goes that moves the points by a tenth of the machine at most
  unit_of(mode) {
    if (!this.sizes.has(mode)) {
      const { node, offset } = this.data.head.scene;
      let largest = 0;
      node.forEach((n, k) => {
        if (n < 0) return;
        const square = [mode.re, mode.im].map((u) => {
          const v = u.slice(6 * n, 6 * n + 6), turned = new THREE.Vector3(v[3], v[4], v[5]).cross(new THREE.Vector3(...offset[k]));
          return turned.add(new THREE.Vector3(v[0], v[1], v[2])).lengthSq();
        });
        largest = Math.max(largest, Math.sqrt(square[0] + square[1]));
      });
      const box = new THREE.Box3().setFromArray(Array.from(this.machine.shape.at));
      this.sizes.set(mode, largest ? (SWING * this.machine.world.state.size) / largest : 0);
    }
    return this.sizes.get(mode);
  }
  show_mode() {
    const { mode, rest, now } = this, size = this.swing * this.unit_of(mode), poses = rest.slice();
    const phase = (2 * Math.PI * now) / CYCLE, c = size * Math.cos(phase), s = size * Math.sin(phase);
    for (let n = 0; 12 * n < rest.length; n++) {
      const u = Array.from({ length: 6 }, (_, i) => c * mode.re[6 * n + i] - s * mode.im[6 * n + i]), m = 12 * n;
      const R = new THREE.Matrix4().set(rest[m + 3], rest[m + 4], rest[m + 5], 0, rest[m + 6], rest[m + 7], rest[m + 8], 0, rest[m + 9], rest[m + 10], rest[m + 11], 0, 0, 0, 0, 1);
      const shift = new THREE.Vector3(u[0], u[1], u[2]).applyMatrix4(R), axis = new THREE.Vector3(u[3], u[4], u[5]), angle = axis.length();
      if (angle) R.multiply(new THREE.Matrix4().makeRotationAxis(axis.divideScalar(angle), angle));
      const e = R.elements;
      poses.set([rest[m] + shift.x, rest[m + 1] + shift.y, rest[m + 2] + shift.z, e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10]], m);
    }
    this.machine.move(poses);
    this.byId("time").value = now;
    this.byId("now").textContent = `phase ${Math.round((360 * now) / CYCLE)} deg`;
    document.body.dataset.time = now.toFixed(3);
  }
}

export function start(buffer) {
  const player = new Player(opened(buffer));
  if (player.data.head.modes) player.play_modes();
  else player.play_runs();
  globalThis.samara = player; // for scripts that look at the page from outside
  document.body.dataset.ready = "yes";
}
