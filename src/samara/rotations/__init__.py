"""Rotations and rigid motions: functions on plain or traced numbers.

- `vectors`: products of three-component vectors, and the matrix alpha I + beta skew(v) + gamma v v^T
- `so3`: exponential, logarithm and tangent maps of rotation vectors
- `cayley`: Gibbs-Rodrigues parameters, rational maps without trigonometry
- `se3`: poses, twists, adjoints, exponential, logarithm and tangent maps of rigid motions
- `euler`, `conversions`: angles, quaternions, axes and checks for users, plain numbers only
- `scalars`, `coefficients`: choices without branches, and the power series behind the maps

The first four run on floats, on complex numbers (complex-step derivatives) and on traced numbers in object
arrays.

Conventions: R_AB takes components in B to components in A, v_A = R_AB v_B. A twist is (v, w) and an increment
(d, phi), translation first, in body axes. Quaternions are (w, x, y, z). Radians, unless a name ends in
`_deg`. Upper-case Euler orders are intrinsic, lower-case ones extrinsic, as in SciPy.
"""

from .cayley import (
    cayley_body_map,
    cayley_from_rotation,
    cayley_spatial_map,
    half_cayley,
    inverse_cayley_body_map,
    inverse_cayley_spatial_map,
    rotation_from_cayley,
)
from .conversions import (
    axis_angle_from_rotation,
    axis_angle_from_rotation_deg,
    check_rotation,
    nearest_rotation,
    quaternion_from_rotation,
    rotation_between,
    rotation_from_axes,
    rotation_from_axis_angle,
    rotation_from_axis_angle_deg,
    rotation_from_quaternion,
    rotation_from_rotation_vector,
    rotation_vector_from_rotation,
)
from .euler import euler_from_rotation, euler_from_rotation_deg, rotation_from_euler, rotation_from_euler_deg
from .scalars import arctan2, choose, is_less, wrapped
from .se3 import (
    Pose,
    ad,
    ad_times,
    ad_transpose_times,
    adjoint,
    adjoint_times,
    adjoint_transpose_times,
    compose_poses,
    exp_se3,
    exp_se3_small,
    hat_se3,
    homogeneous,
    inverse_pose,
    inverse_tangent_se3,
    inverse_tangent_se3_small,
    inverse_tangent_small,
    log_se3,
    log_se3_below_pi,
    relative_pose,
    tangent_se3,
    tangent_se3_small,
    transform_point,
)
from .so3 import (
    exp_so3,
    exp_so3_small,
    inverse_spatial_tangent_so3,
    inverse_spatial_tangent_so3_small,
    inverse_tangent_so3,
    inverse_tangent_so3_small,
    log_so3,
    log_so3_below_pi,
    rotation_x,
    rotation_y,
    rotation_z,
    spatial_tangent_so3,
    spatial_tangent_so3_small,
    tangent_so3,
    tangent_so3_small,
)
from .vectors import axial_matrix, cross, dot, norm, skew, unskew

__all__ = [
    "Pose",
    "ad",
    "ad_times",
    "ad_transpose_times",
    "adjoint",
    "adjoint_times",
    "adjoint_transpose_times",
    "arctan2",
    "axial_matrix",
    "axis_angle_from_rotation",
    "axis_angle_from_rotation_deg",
    "cayley_body_map",
    "cayley_from_rotation",
    "cayley_spatial_map",
    "check_rotation",
    "choose",
    "compose_poses",
    "cross",
    "dot",
    "euler_from_rotation",
    "euler_from_rotation_deg",
    "exp_se3",
    "exp_se3_small",
    "exp_so3",
    "exp_so3_small",
    "half_cayley",
    "hat_se3",
    "homogeneous",
    "inverse_cayley_body_map",
    "inverse_cayley_spatial_map",
    "inverse_pose",
    "inverse_spatial_tangent_so3",
    "inverse_spatial_tangent_so3_small",
    "inverse_tangent_se3",
    "inverse_tangent_se3_small",
    "inverse_tangent_small",
    "inverse_tangent_so3",
    "inverse_tangent_so3_small",
    "is_less",
    "log_se3",
    "log_se3_below_pi",
    "log_so3",
    "log_so3_below_pi",
    "nearest_rotation",
    "norm",
    "quaternion_from_rotation",
    "relative_pose",
    "rotation_between",
    "rotation_from_axes",
    "rotation_from_axis_angle",
    "rotation_from_axis_angle_deg",
    "rotation_from_cayley",
    "rotation_from_euler",
    "rotation_from_euler_deg",
    "rotation_from_quaternion",
    "rotation_from_rotation_vector",
    "rotation_vector_from_rotation",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "skew",
    "spatial_tangent_so3",
    "spatial_tangent_so3_small",
    "tangent_se3",
    "tangent_se3_small",
    "tangent_so3",
    "tangent_so3_small",
    "transform_point",
    "unskew",
    "wrapped",
]
