// What is around a craft that is flown: a ground, a sky with its horizon, and the cameras that go along.
import { THREE } from "nicegui-scene";

// free is the one that is turned by the mouse
export const CAMERAS = ["chase", "cockpit", "ground", "free"];
const FIELD = { chase: 42, cockpit: 60, ground: 42, free: 28 }; // angles of view, upright [deg]
const BEHIND = 0.35; // time in which the chasing camera swings round behind the craft [s]
const EYE = 1.7; // height of an observer's eyes over the ground [m]
const SKY = { top: "#2f65a8", low: "#b8d0e4" };
const EARTH = ["#34503c", "#3f5e47", "#47684f", "#53775b"];
const BLOCK = 8; // checkers along a large one
const NEAREST = 0.4, FARTHEST = 5; // what the wheel makes of a camera's distance

export class FlightWorld {
  // sticks: of the session's scene; view: { root, camera, renderer } of three.js; size: of the machine, cell: of a checker [m]
  constructor(sticks, view, size, cell) {
    Object.assign(this, { sticks, view, size, cell, zoom: 1, behind: null, home: null, steered: 0 });
    const { root, camera } = view, extent = 960 * cell;
    this.earth = this.make_earth(extent);
    this.sky = this.make_sky(0.45 * extent);
    this.spot = new THREE.Mesh(
      new THREE.CircleGeometry(0.25 * size, 32),
      new THREE.MeshBasicMaterial({ color: "#000000", transparent: true, opacity: 0.35, depthWrite: false }),
    );
    for (const mesh of [this.earth, this.sky, this.spot]) {
      mesh.frustumCulled = false;
      root.add(mesh);
    }
    root.fog = new THREE.Fog(SKY.low, 0.1 * extent, 0.45 * extent); // the ground fades into the horizon
    camera.near = size / 100;
    camera.far = extent;
  }
  // small checkers for low flight, large ones for high flight
  make_earth(extent) {
    const canvas = document.createElement("canvas"), block = 2 * BLOCK;
    canvas.width = canvas.height = 16 * block;
    const pen = canvas.getContext("2d");
    for (let i = 0; i < block; i++)
      for (let j = 0; j < block; j++) {
        pen.fillStyle = EARTH[2 * (((i / BLOCK) | 0) === ((j / BLOCK) | 0)) + ((i + j) % 2)];
        pen.fillRect(16 * i, 16 * j, 16, 16);
      }
    const checkers = new THREE.CanvasTexture(canvas);
    checkers.wrapS = checkers.wrapT = THREE.RepeatWrapping;
    checkers.repeat.setScalar(extent / (block * this.cell));
    checkers.anisotropy = this.view.renderer.capabilities.getMaxAnisotropy();
    checkers.colorSpace = THREE.SRGBColorSpace;
    return new THREE.Mesh(new THREE.PlaneGeometry(extent, extent), new THREE.MeshBasicMaterial({ map: checkers }));
  }
  make_sky(radius) {
    const dome = new THREE.SphereGeometry(1, 32, 32), low = new THREE.Color(SKY.low), top = new THREE.Color(SKY.top);
    const place = dome.attributes.position, tint = new Float32Array(3 * place.count), c = new THREE.Color();
    dome.rotateX(Math.PI / 2); // its poles are up and down
    for (let k = 0; k < place.count; k++)
      c.copy(low).lerp(top, Math.sqrt(Math.min(Math.max(place.getZ(k), 0), 1))).toArray(tint, 3 * k);
    dome.setAttribute("color", new THREE.BufferAttribute(tint, 3));
    const paint = { vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false };
    const sky = new THREE.Mesh(dome, new THREE.MeshBasicMaterial(paint));
    sky.scale.setScalar(radius);
    sky.renderOrder = -1;
    return sky;
  }
  // the ground goes along by whole checkers, so that it seems to stand; the sky goes with the camera; at: of the craft
  lay(at) {
    const step = 2 * BLOCK * this.cell, whole = (x) => step * Math.round(x / step), { ground } = this.sticks;
    this.earth.position.set(whole(at.x), whole(at.y), ground);
    this.spot.position.set(at.x, at.y, ground + 0.002 * this.size);
    this.sky.position.copy(this.view.camera.position);
  }
  // another camera
  begin(name) {
    const { camera } = this.view;
    camera.up.set(0, 0, 1);
    camera.fov = FIELD[name];
    camera.updateProjectionMatrix();
    this.behind = null;
  }
  approach(wheel) {
    this.zoom = Math.min(Math.max(this.zoom * Math.exp(0.001 * wheel), NEAREST), FARTHEST);
  }
  // the camera of this frame, from the craft's pose; whether it has moved. now [s]
  steer(name, pose, now) {
    const { camera } = this.view, { forward, up, ground } = this.sticks, { size, zoom } = this;
    const at = new THREE.Vector3().setFromMatrixPosition(pose), before = camera.position.clone(), target = at.clone();
    const [ahead, over] = [forward, up].map((v) => new THREE.Vector3(...v).transformDirection(pose));
    const north = new THREE.Vector3(...this.sticks.north);
    this.home ||= at.clone().addScaledVector(north, -4 * size);
    this.swing(ahead, north, now);
    if (name === "chase") {
      camera.position.copy(at).addScaledVector(this.behind, -1.7 * zoom * size);
      camera.position.z = Math.max(at.z + 0.5 * zoom * size, ground + 0.1 * size);
      target.z += 0.25 * zoom * size; // so that the horizon is in the picture
    } else if (name === "cockpit") {
      camera.position.copy(at).addScaledVector(ahead, 0.2 * size).addScaledVector(over, 0.05 * size);
      target.copy(camera.position).add(ahead);
      camera.up.copy(over);
    } else {
      camera.position.set(this.home.x, this.home.y, ground + EYE);
      const angle = (360 / Math.PI) * Math.atan((1.5 * size) / Math.max(camera.position.distanceTo(at), 1e-6));
      camera.fov = Math.min(Math.max(zoom * angle, 2), 60); // zooms in on what is far away
      camera.updateProjectionMatrix();
    }
    camera.lookAt(target);
    return before.distanceTo(camera.position) > 1e-5 * size;
  }
  // level, towards where the craft points, but not faster than an eye can follow
  swing(ahead, north, now) {
    const level = new THREE.Vector3(ahead.x, ahead.y, 0);
    if (level.lengthSq() < 0.01) level.copy(this.behind || north); // it points up or down
    level.normalize();
    const part = this.behind ? 1 - Math.exp(-Math.min(now - this.steered, 0.2) / BEHIND) : 1;
    this.behind = (this.behind || level).clone().lerp(level, part);
    if (this.behind.lengthSq() < 1e-4) this.behind.copy(level); // it turned about within a moment
    this.behind.normalize();
    this.steered = now;
  }
}
