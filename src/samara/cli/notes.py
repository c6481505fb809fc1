"""Notes and examples below the options in the help of each command."""

RUN_NOTES = """
A file defines `model` (a samara.Model) or a function `make_model()`, whose arguments are set by --set. It may also
define `method` (a samara.Method), `duration` [s], `step` [s] and `plot` (channels). Ctrl-C ends a run early and keeps
the results computed so far.

  samara run pendulum --plot --animate
  samara run chain --set links=40 --end 2 --outputs "hinge_*.angle" --save chain.nc
  samara run andrews --accuracy 1e-6 --json
  samara run four-bar --formulation recursive --cut closure_B
  samara run wrats --set blades=elastic --partition blades --backend threads --threads 2
  mpirun -n 4 python -m samara run wrats --set blades=elastic --partition blades --backend mpi
"""


VIEW_NOTES = """
The page is self-contained: it opens without a network connection and without Samara.

  samara run puma --set blades=elastic --save puma.nc
  samara view puma.nc
  samara view puma.nc --beside rigid.nc --to both.html --no-open
"""


COMPLETION_NOTES = """
  bash  eval "$(samara completion bash)"     in ~/.bashrc
  zsh   eval "$(samara completion zsh)"      in ~/.zshrc
  fish  samara completion fish > ~/.config/fish/completions/samara.fish
"""


REALTIME_NOTES = """
The summary reports overruns and the times of steps and wake-ups, with those of an empty loop on the same machine for
comparison.

  samara realtime puma --rate 400 --duration 10
  samara realtime tiltrotor --duration 5 --policy degrade --json
"""


WARM_NOTES = """
Compiled code is kept in the cache (listed by `samara kernels`), so that the first run of a model starts immediately.

  samara warm pendulum puma
"""


MODES_NOTES = """
A model with a declared, turning rotor is linearised about its periodic motion in multiblade coordinates; Floquet
theory is used if the equations are still periodic in them. Otherwise the model is linearised about a steady rotation
(--speed) or about the static equilibrium; unconstrained bodies must be in equilibrium at the start.

  samara modes rotor4 --speed 27 --count 8 --animate rotor4.html
  samara modes wrats --set speed_rpm=800
"""


FLOQUET_NOTES = """
The periodic motion is found first, by time marching and shooting. Modes are listed from the least stable on.

  samara floquet puma --set airspeed=40
  samara floquet hammond --set out=1 --steps 200 --plot multipliers.png
"""


HARMONICS_NOTES = """
The periodic motion is found first. Hub loads are the loads of the blades on the hub and its controls, about the disk's
centre: NAME.fixed_force and NAME.fixed_moment in the non-rotating axes of the disk, NAME.hub_force and NAME.hub_moment
in axes that rotate with the hub.

  samara harmonics puma --set airspeed=40
  samara harmonics puma --set airspeed=40 --channel rotor.fixed_force blade_1.flap.angle --orders 6 --json
"""


RECORD_NOTES = """
Start the simulator with --session and --record ROWS. The recorder ends with the simulator or on Ctrl-C; exit code 1
means that samples were lost. Data are written to FILE.nc.chunks until FILE.nc is complete.

  samara record puma --to flight.nc
  samara record puma --to flight.nc --armed --pre 2    then, elsewhere: samara record puma --on, --off, --state
  samara record --recover flight.nc
"""


CONTROLLER_NOTES = """
A file defines a subclass of samara.realtime.controllers.Controller. Start the simulator first. Ctrl-C ends the
controller; its actuators then follow the simulator's policy for lost controllers.

  samara controller swing.py --session pendulum --set gain=12
  samara controller robot --session robot --duration 7 --json
"""


PANEL_NOTES = """
Prints two addresses with access tokens: the operator's address permits commands, the viewer's is read-only.

  samara realtime pendulum --rate 1000 --session swing &
  samara panel swing
"""


REPLAY_NOTES = """
Scopes, cursors, machine and rotor work as during a run. Start, hold, step and reset steer the replay; the parameters
replay.speed and replay.time set its speed, and jump. It ends when the last page is closed, or with Ctrl-C.

  samara run puma --save puma.nc
  samara replay puma.nc
  samara replay flight.nc --speed 0.1
"""


SWEEP_NOTES = """
The parameters varied are settings of a ready model (`samara models NAME`), arguments of a file's `make_model`, or
named parameters of the model, which need no recompilation. Alternatively a file defines `make` and `measure`, and
optionally `variants`. Measures: max, min, mean, rms, last, amplitude of a channel or one of its components. Ctrl-C
keeps the finished variants; with --store the same command resumes from there.

  samara sweep pendulum --vary length=0.5:2:7 --measure amplitude:bob.position.y --plot
  samara sweep wrats --vary lag_damping=0.1:0.5:9 speed_rpm=600:900:13 --measure max:pylon.position.y --end 1 \\
      --workers 2 --store wrats --plot map.png
  samara sweep study.py --vary speed=60:90 damping=0:0.4 --samples 200 --scheduler tls://host:8786 --save study.nc
"""


TREE_NOTES = """
Each body is a block with its parent joint and degrees of freedom, its mass, inputs and outputs. Coordinates are
q[...], speeds s[...], numbered as in samara.RigidTree.

  samara tree xcell --plot
  samara tree chain --set links=5 --json
  samara tree four-bar --cut closure_B
"""
