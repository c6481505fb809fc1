"""What the help texts of commands say below their options."""

RUN_NOTES = """
A file defines `model` (a samara.Model) or a function `make_model()`, whose arguments --set gives; it may also
define `method` (a samara.Method), `duration` [s], `step` [s] and `plot` (channels). Ctrl-C ends a run early: what was
computed is kept.

  samara run pendulum --plot --animate
  samara run chain --set links=40 --end 2 --outputs "hinge_*.angle" --save chain.nc
  samara run andrews --accuracy 1e-6 --json
  samara run four-bar --formulation recursive --cut closure_B
  samara run wrats --set blades=elastic --partition blades --backend threads --threads 2
  mpirun -n 4 python -m samara run wrats --set blades=elastic --partition blades --backend mpi
"""


VIEW_NOTES = """
The page holds all that it shows: it can be sent to somebody, and opens without a network and without Samara.

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
The summary has overruns, the time of steps and of wake-ups, and beside it that of a bare loop on the same machine.

  samara realtime puma --rate 400 --duration 10
  samara realtime tiltrotor --duration 5 --policy degrade --json
"""


WARM_NOTES = """
Compiled code is kept in the cache (`samara kernels` lists it), so that the first run of a model starts at once.

  samara warm pendulum puma
"""


MODES_NOTES = """
A model with a declared rotor that turns: about its periodic motion, in multiblade coordinates, by Floquet's theory
where the equations are still periodic in them. Otherwise about a steady rotation of the whole, with
--speed, or about the static equilibrium; what is free to move is taken as it stands at the start, if it is in balance
there.

  samara modes rotor4 --speed 27 --count 8 --animate rotor4.html
  samara modes wrats --set speed_rpm=800
"""


FLOQUET_NOTES = """
The motion that repeats itself is found first, by marching and shooting; the least stable mode comes first.

  samara floquet puma --set airspeed=40
  samara floquet hammond --set out=1 --steps 200 --plot multipliers.png
"""


RECORD_NOTES = """
The simulator runs with --session and --record ROWS. The recorder ends with it, or with Ctrl-C; exit code 1 says that
something was lost. What it has written lies in FILE.nc.chunks until FILE.nc is complete.

  samara record puma --to flight.nc
  samara record puma --to flight.nc --armed --pre 2    then, elsewhere: samara record puma --on, --off, --state
  samara record --recover flight.nc
"""


CONTROLLER_NOTES = """
A file defines a subclass of samara.realtime.controllers.Controller. Start the simulator first. Ctrl-C ends the
controller; what it drove is then left to the simulator's policy.

  samara controller swing.py --session pendulum --set gain=12
  samara controller robot --session robot --duration 7 --json
"""


PANEL_NOTES = """
It prints two addresses with tokens: whoever has the operator's may command, the viewer's is view-only.

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
What varies are settings of a ready model (`samara models NAME`), arguments of a file's `make_model`, or named
parameters of the model, which need no new compilation. A file may define `make` and `measure` instead, and `variants`.
Measures: max, min, mean, rms, last, amplitude of a channel or of a component of it. Ctrl-C keeps what is done; with
--store the same command goes on from there.

  samara sweep pendulum --vary length=0.5:2:7 --measure amplitude:bob.position.y --plot
  samara sweep wrats --vary lag_damping=0.1:0.5:9 speed_rpm=600:900:13 --measure max:pylon.position.y --end 1 \\
      --workers 2 --store wrats --plot map.png
  samara sweep study.py --vary speed=60:90 damping=0:0.4 --samples 200 --scheduler tls://host:8786 --save study.nc
"""


TREE_NOTES = """
Each body is a block: the joint that it hangs on with its freedoms, mass, what goes in and what comes out. Coordinates
are q[...], speeds and degrees of freedom s[...], as samara.RigidTree counts them.

  samara tree xcell --plot
  samara tree chain --set links=5 --json
  samara tree four-bar --cut closure_B
"""
