// A machine in three dimensions, for the panel and for files: geometry once, then the poses of its nodes per frame.
// Points are fixed to nodes, surfaces and lines are made of points; all of it is moved here, in the browser.
import { OrbitControls, THREE } from "nicegui-scene";
import { FlightWorld } from "samara-flight";

const BLADES = ["#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5", "#ffe066", "#4dd0c0", "#e57373"];
const KINDS = { blade: "#9fb3c8", wing: "#8fa3b0", beam: "#b0bec5", hull: "#78909c" };
export const VIEWS = { iso: [-0.8, -1, 0.6], front: [-1, 0, 0], side: [0, -1, 0], top: [0, 0, 1] };
const TRACE = 600;
const MAP = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"]; // viridis, of low to high

export function nice(x) {
  const p = Math.pow(10, Math.floor(Math.log10(x)));
  return p * [1, 2, 5, 10].find((f) => f * p >= x * 0.999);
}

export function floats(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

// points in the world, p + R offset, from poses: position and rotation by rows, twelve numbers per node
export function places(scene, poses, at) {
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

// points whose way can be left as a trace, {label, value}
export function tracePoints(scene, nodes) {
  const found = [];
  for (const rotor of scene.rotors || [])
    for (const blade of rotor.blades) found.push({ label: "tip of " + blade.name, value: blade.tip });
  scene.node.forEach((node, k) => {
    if (node >= 0 && scene.offset[k].every((x) => x === 0)) found.push({ label: nodes[node], value: k });
  });
  return found;
}

// the colour of a value between 0 and 1
export function colourOf(part, colour = new THREE.Color()) {
  const x = Math.min(Math.max(part || 0, 0), 1) * (MAP.length - 1), k = Math.min(Math.floor(x), MAP.length - 2);
  return colour.set(MAP[k]).lerp(new THREE.Color(MAP[k + 1]), x - k);
}

const matrix = (a, k) => new THREE.Matrix4().set(
  a[k + 3], a[k + 4], a[k + 5], a[k], a[k + 6], a[k + 7], a[k + 8], a[k + 1],
  a[k + 9], a[k + 10], a[k + 11], a[k + 2], 0, 0, 0, 1,
);

// The parts of one machine; tint: one colour of all, for a machine that is laid over another.
export class Shape {
  constructor(scene, root, tint) {
    Object.assign(this, { scene, root, tint, poses: null, skins: [], boxes: [], disks: [], dressed: true, painted: false });
    this.at = new Float32Array(3 * scene.node.length);
    this.joints = scene.joints || [];
    // what flies hangs on nothing: a line to the world is that of a sensor or a regulator
    this.lines = scene.sticks ? scene.lines.filter((line) => line.every((k) => scene.node[k] >= 0)) : scene.lines;
    this.bodies = new THREE.Group();
    for (const skin of scene.surfaces || []) this.cover(skin);
    root.add(this.bodies);
  }
  cover(skin) {
    // edges that are to look sharp have points of their own: the trailing edge, which comes first, and the ends
    const sharp = skin.kind === "blade" || skin.kind === "wing", corners = skin.rings[0].length, index = [];
    const rings = skin.rings.map((ring) => (sharp ? [...ring, ring[0]] : ring)), m = rings[0].length;
    const points = rings.flat(), along = rings.flatMap((ring, r) => ring.map(() => r));
    for (let r = 0; r + 1 < rings.length; r++)
      for (let c = 0; c < corners; c++) {
        const a = r * m + c, b = r * m + ((c + 1) % m);
        index.push(a, b, a + m, b, b + m, a + m);
      }
    for (const r of [0, rings.length - 1]) {
      const first = points.push(...skin.rings[r]) - corners;
      for (let c = 0; c < corners; c++) along.push(r);
      for (let c = 1; c + 1 < corners; c++) index.push(first, first + c, first + c + 1);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(index);
    for (const name of ["position", "color"])
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * points.length).fill(1), 3));
    const colour = skin.blade === undefined ? KINDS[skin.kind] || "#b0bec5" : BLADES[skin.blade % BLADES.length];
    const hull = skin.kind === "hull", { sticks } = this.scene;
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
      color: this.tint || colour, roughness: 0.55, metalness: 0.15, side: THREE.DoubleSide,
      ...(hull ? { transparent: true, opacity: sticks ? 0.9 : 0.5, depthWrite: !!sticks } : { flatShading: skin.kind === "beam" }),
      ...(this.tint ? { transparent: true, opacity: 0.45, depthWrite: false } : {}),
    }));
    mesh.frustumCulled = false;
    this.skins.push({ mesh, points: Int32Array.from(points), along, sections: rings.length, flat: skin.kind === "beam", hull });
    this.bodies.add(mesh);
  }
  // places of all that is drawn, as it stands
  extent() {
    const found = [], v = new THREE.Vector3(), s = this.scene;
    for (let i = 0; i < this.at.length; i += 3) found.push(new THREE.Vector3().fromArray(this.at, i));
    for (const rotor of s.rotors || []) {
      const disk = this.place(rotor.craft, rotor.disk);
      for (let k = 0; k < 16; k++) {
        const a = (k * Math.PI) / 8;
        found.push(new THREE.Vector3(rotor.radius * Math.cos(a), rotor.radius * Math.sin(a), 0).applyMatrix4(disk));
      }
    }
    for (const b of s.boxes || []) {
      const there = this.place(b.node, [...b.position, ...b.rotation]);
      for (let k = 0; k < 8; k++) {
        v.set(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).multiply(new THREE.Vector3(...b.size));
        found.push(v.clone().applyMatrix4(there));
      }
    }
    return found.length ? found : [v];
  }
  // bodies, rods and joints, once the size of the machine is known
  furnish(size) {
    const s = this.scene, glass = this.tint ? { transparent: true, opacity: 0.35, depthWrite: false } : {};
    const metal = (colour, more) =>
      new THREE.MeshStandardMaterial({ color: this.tint || colour, roughness: 0.5, metalness: 0.3, ...more, ...glass });
    this.size = size;
    for (const b of s.boxes || []) {
      const small = Math.max(...b.size) < 0.006 * size;
      const shape = small ? new THREE.SphereGeometry(0.009 * size, 20, 14) : new THREE.BoxGeometry(...b.size);
      const large = Math.max(...b.size) > 0.2 * size;
      const mesh = new THREE.Mesh(shape, metal("#90a4ae", large ? { transparent: true, opacity: 0.28, depthWrite: false } : {}));
      if (large) {
        const edges = new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: "#b0bec5" }));
        mesh.add(edges);
      }
      mesh.matrixAutoUpdate = false;
      this.bodies.add(mesh);
      this.boxes.push({ mesh, node: b.node, pose: [...b.position, ...b.rotation] });
    }
    const rod = new THREE.CylinderGeometry(1, 1, 1, 8, 1, true);
    this.rods = new THREE.InstancedMesh(rod, metal("#78909c"), Math.max(this.lines.length, 1));
    this.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(0.006 * size, 14, 10), metal("#ffca28"), Math.max(this.joints.length, 1));
    for (const mesh of [this.rods, this.balls]) {
      mesh.frustumCulled = false;
      mesh.count = 0;
      this.root.add(mesh);
    }
    if (!this.tint) for (const rotor of s.rotors || []) this.furnish_rotor(rotor, metal);
  }
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
    this.root.add(group);
    this.disks.push({ group, rotor });
  }
  // the matrix of a frame that is given in a node, by its position and rotation by rows
  place(node, pose) {
    const local = matrix(pose, 0);
    return node < 0 ? local : matrix(this.poses, 12 * node).multiply(local);
  }
  where(node) {
    return new THREE.Vector3().fromArray(this.poses, 12 * node);
  }
  stand(poses) {
    this.poses = poses;
    places(this.scene, poses, this.at);
  }
  // brings all parts to where the points are
  move() {
    for (const { mesh, points, flat } of this.skins) {
      const position = mesh.geometry.attributes.position;
      for (let i = 0; i < points.length; i++)
        for (let r = 0; r < 3; r++) position.array[3 * i + r] = this.at[3 * points[i] + r];
      position.needsUpdate = true;
      if (!flat) mesh.geometry.computeVertexNormals();
    }
    for (const { mesh, node, pose } of this.boxes) {
      mesh.matrix.copy(this.place(node, pose));
      mesh.matrixWorldNeedsUpdate = true;
    }
    for (const { group, rotor } of this.disks) {
      group.matrix.copy(this.place(rotor.craft, rotor.disk));
      group.matrixWorldNeedsUpdate = true;
    }
    this.move_rods();
    this.joints.forEach((joint, k) => {
      const i = 3 * joint.point;
      this.balls.setMatrixAt(k, new THREE.Matrix4().makeTranslation(this.at[i], this.at[i + 1], this.at[i + 2]));
    });
    this.balls.count = this.joints.length;
    this.balls.instanceMatrix.needsUpdate = true;
  }
  move_rods() {
    if (!this.rods) return;
    const { at } = this, inside = this.dressed && this.skins.length; // thin enough to be in a blade
    const thick = (inside ? 0.0013 : 0.0025) * this.size;
    const x = new THREE.Vector3(), y = new THREE.Vector3(), z = new THREE.Vector3(), m = new THREE.Matrix4();
    this.lines.forEach(([a, b], k) => {
      y.set(at[3 * b] - at[3 * a], at[3 * b + 1] - at[3 * a + 1], at[3 * b + 2] - at[3 * a + 2]);
      x.set(0, 0, 1).cross(y);
      if (x.lengthSq() < 1e-8 * y.lengthSq()) x.set(1, 0, 0);
      x.normalize();
      z.copy(x).cross(y).normalize();
      m.makeBasis(x.multiplyScalar(thick), y, z.multiplyScalar(thick));
      m.setPosition(0.5 * (at[3 * a] + at[3 * b]), 0.5 * (at[3 * a + 1] + at[3 * b + 1]), 0.5 * (at[3 * a + 2] + at[3 * b + 2]));
      this.rods.setMatrixAt(k, m);
    });
    this.rods.count = this.lines.length;
    this.rods.instanceMatrix.needsUpdate = true;
  }
  dress(on) {
    this.dressed = this.bodies.visible = on;
    this.move_rods();
  }
  // colours surfaces by values between 0 and 1, for each { at, values }: where from the first ring to the last, and how
  // much; those without, and all without any, as they are
  paint(values) {
    this.skins.forEach(({ mesh, along, sections }, k) => {
      const own = values?.[k], { material } = mesh, colour = new THREE.Color();
      if (!own && !material.vertexColors) return;
      material.userData.own ??= material.color.clone();
      if (material.vertexColors !== !!own) {
        material.vertexColors = !!own;
        material.needsUpdate = true;
      }
      material.color.copy(own ? new THREE.Color("#ffffff") : material.userData.own);
      if (!own) return;
      const { color } = mesh.geometry.attributes, of = [];
      for (let r = 0; r < sections; r++) {
        const { at, values } = own, x = r / Math.max(sections - 1, 1), next = at.findIndex((place) => place > x);
        const i = next < 0 ? at.length - 1 : Math.max(next - 1, 0), j = next < 0 ? i : next;
        const value = i === j ? values[i] : values[i] + ((x - at[i]) / (at[j] - at[i])) * (values[j] - values[i]);
        of.push(colourOf(value, colour).toArray());
      }
      along.forEach((r, i) => color.array.set(of[r], 3 * i));
      color.needsUpdate = true;
    });
  }
}

// The canvas with its lights and cameras, the ground, and the machines on it.
export class Machine {
  constructor(host, canvas, scene, said) {
    Object.assign(this, { host, canvas, scene, said, followed: -1, traced: -1, dressed: true, frames: 0 });
    this.camera = scene.sticks ? "chase" : "free";
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    const root = new THREE.Scene(), camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
    camera.up.set(0, 0, 1);
    const controls = new OrbitControls(camera, canvas);
    const w = (this.world = { state: { dirty: true, size: 0 }, renderer, root, camera, controls });
    controls.addEventListener("change", () => (w.state.dirty = true));
    controls.addEventListener("start", () => (w.state.touched = true));
    canvas.addEventListener("wheel", (e) => { // a camera that goes by itself comes nearer all the same
      if (this.camera === "free") return;
      e.preventDefault();
      this.flown?.approach(e.deltaY);
    }, { passive: false });
    root.add(new THREE.HemisphereLight(0xffffff, 0x404860, 1.6));
    for (const [x, y, z, power] of [[-3, -4, 6, 1.6], [4, 3, -2, 0.5]]) {
      const light = new THREE.DirectionalLight(0xffffff, power);
      light.position.set(x, y, z);
      root.add(light);
    }
    this.shape = new Shape(scene, root);
    this.shapes = [this.shape];
    const gizmo = triad(), fit = () => this.fit();
    w.observer = new ResizeObserver(fit);
    w.observer.observe(host);
    fit();
    const draw = () => {
      w.request = requestAnimationFrame(draw);
      this.steer();
      if (w.state.dirty && w.state.size) this.draw(gizmo);
    };
    draw();
  }
  fit() {
    const { clientWidth: x, clientHeight: y } = this.host, w = this.world;
    if (!x || !y) return;
    w.renderer.setSize(x, y, false);
    w.camera.aspect = x / y;
    w.camera.updateProjectionMatrix();
    w.state.dirty = true;
  }
  draw(gizmo) {
    const { renderer, root, camera, state } = this.world, { clientWidth: x, clientHeight: y } = this.host;
    state.dirty = false;
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
  }
  dispose() {
    const w = this.world;
    cancelAnimationFrame(w.request);
    w.observer.disconnect();
    w.controls.dispose();
    w.root.traverse((o) => {
      o.geometry?.dispose();
      o.material?.map?.dispose();
      o.material?.dispose();
    });
    w.renderer.dispose();
  }
  // another machine in the same world, in one colour
  lay_over(scene, tint) {
    const shape = new Shape(scene, this.world.root, tint);
    this.shapes.push(shape);
    return shape;
  }
  // after the first poses, when the size of the machine is known
  furnish() {
    const w = this.world, { scene } = this, outer = this.shape.extent(), box = new THREE.Box3().setFromPoints(outer);
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    Object.assign(w.state, { size, box, outer, largest: 3 * size });
    for (const shape of this.shapes) shape.furnish(size);
    this.dots = new THREE.Points(
      new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * TRACE), 3)),
      new THREE.PointsMaterial({ color: "#ff5252", size: 3.5, sizeAttenuation: false }),
    );
    this.dots.frustumCulled = false;
    this.trace = { next: 0, count: 0 };
    this.dots.geometry.setDrawRange(0, 0);
    w.root.add(this.dots);
    this.furnish_ground(box, size);
    w.camera.near = size / 500;
    w.camera.far = size * 40;
    w.controls.maxDistance = size * 10;
    if (!scene.sticks) return this.look("iso");
    const cell = nice(0.5 * size);
    this.flown = new FlightWorld(scene.sticks, w, size, cell);
    this.grid.visible = false;
    this.said(`checkers ${cell >= 1 ? cell : Number(cell.toPrecision(3))} m, z up`);
    this.shoot(this.camera);
  }
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
    this.grid = grid;
    this.cell = step;
    this.said(`grid ${step >= 1 ? step : Number(step.toPrecision(3))} m, z up`);
  }
  // another camera of what is flown
  shoot(name) {
    const w = this.world, { flown } = this, { skins, boxes } = this.shape;
    this.camera = name;
    if (!flown) return;
    w.controls.enabled = name === "free";
    flown.begin(name);
    // who sits inside does not see the hull
    for (const { mesh, hull } of skins) mesh.visible = !(hull && name === "cockpit");
    for (const { mesh, node } of boxes) mesh.visible = !(node === this.scene.sticks.craft && name === "cockpit");
    if (name === "free") {
      w.controls.target.copy(this.shape.where(this.scene.sticks.craft));
      w.controls.update();
    }
    w.state.dirty = true;
  }
  steer() {
    const { flown } = this;
    if (!flown || this.camera === "free") return;
    const pose = matrix(this.shape.poses, 12 * this.scene.sticks.craft);
    if (flown.steer(this.camera, pose, performance.now() / 1000)) this.world.state.dirty = true;
  }
  // poses of the machine, and of those that are laid over it
  move(poses, ...others) {
    const w = this.world;
    [poses, ...others].forEach((own, k) => own && this.shapes[k].stand(own));
    if (!w.state.size) this.furnish();
    for (const shape of this.shapes) if (shape.poses) shape.move();
    this.leave_trace();
    if (this.flown) {
      this.steer();
      this.flown.lay(this.shape.where(this.scene.sticks.craft));
      this.mark();
    }
    if (this.camera === "free") {
      if (this.followed >= 0) this.go_with();
      this.grow();
    }
    w.state.dirty = true;
    this.frames += 1;
  }
  // where things are, for tests that look at the page from outside
  mark() {
    const text = (v) => v.toArray().map((x) => x.toFixed(3)).join(" "), { dataset } = this.host;
    dataset.camera = this.camera;
    dataset.eye = text(this.world.camera.position);
    dataset.gaze = text(this.world.camera.getWorldDirection(new THREE.Vector3()));
    dataset.craft = text(this.shape.where(this.scene.sticks.craft));
  }
  // a machine that swings out of the picture is seen whole again, until somebody turns the camera
  grow() {
    const { state } = this.world, { at } = this.shape, v = new THREE.Vector3(), outside = [];
    const room = state.box.clone().expandByScalar(0.03 * state.size);
    for (let i = 0; i < at.length; i += 3) if (!room.containsPoint(v.fromArray(at, i))) outside.push(v.clone());
    if (!outside.length) return;
    const box = state.box.clone();
    for (const p of outside) box.expandByPoint(p);
    if (box.getSize(v).length() > state.largest) return;
    state.box = box;
    state.outer.push(...outside);
    const { grid } = this;
    if (grid.position.z > box.min.z) grid.position.z = box.min.z - 0.02 * state.size;
    if (!state.touched && this.followed < 0) this.look(state.view);
  }
  leave_trace() {
    if (this.traced < 0) return;
    const position = this.dots.geometry.attributes.position, { trace } = this;
    const k = 3 * this.traced, i = 3 * trace.next;
    for (let r = 0; r < 3; r++) position.array[i + r] = this.shape.at[k + r];
    trace.next = (trace.next + 1) % TRACE;
    trace.count = Math.min(trace.count + 1, TRACE);
    this.dots.geometry.setDrawRange(0, trace.count);
    position.needsUpdate = true;
  }
  retrace(point) {
    this.traced = point;
    if (!this.trace) return;
    this.trace.next = this.trace.count = 0;
    this.dots.geometry.setDrawRange(0, 0);
    this.world.state.dirty = true;
  }
  follow(node) {
    const w = this.world;
    this.followed = node;
    w.state.last = null;
    if (this.camera !== "free") this.shoot("free");
    if (node < 0 || !this.shape.poses) return;
    const to = this.shape.where(node);
    w.camera.position.add(to.clone().sub(w.controls.target));
    w.controls.target.copy(to);
    w.state.last = to;
    w.controls.update();
  }
  go_with() {
    const w = this.world, now = this.shape.where(this.followed);
    if (w.state.last) {
      const step = now.clone().sub(w.state.last);
      w.camera.position.add(step);
      w.controls.target.add(step);
      w.controls.update();
    }
    w.state.last = now;
    const whole = (x) => Math.round(x / this.cell) * this.cell; // the grid seems to stand
    if (!this.flown) this.grid.position.set(whole(now.x), whole(now.y), this.grid.position.z);
  }
  look(name) {
    const w = this.world;
    if (!w.state.size) return;
    if (this.camera !== "free") this.shoot("free");
    w.state.view = name;
    const away = new THREE.Vector3(...VIEWS[name]).normalize();
    const target = this.followed >= 0 ? this.shape.where(this.followed) : w.state.box.getCenter(new THREE.Vector3());
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
  }
  dress(on) {
    this.dressed = on;
    for (const shape of this.shapes) shape.dress(on);
    this.world.state.dirty = true;
  }
}

function triad() {
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
}
