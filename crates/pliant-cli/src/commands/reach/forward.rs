//! Where a frame is in a posture.

use crate::commands::modes::findings::refused;
use crate::figures::{figure, figures, pretty, table};
use crate::output::Failure;
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant::spatial::{Pose, Quaternion, Vec3, roll_pitch_yaw, rotation_vector};
use serde_json::{Value, json};

/// A frame in a posture.
pub(super) struct Forward<'a> {
    arm: &'a Arm,
    frame: usize,
    /// What bends is at rest where it sags.
    q: Vec<f64>,
    pose: Pose<f64>,
    /// How far the frame is from where straight links would have it (m, world axes), where it sags.
    deflection: Option<Vec3<f64>>,
}

pub(super) fn find<'a>(
    arm: &'a Arm,
    frame: usize,
    q: &[f64],
    sags: bool,
) -> Result<Forward<'a>, Failure> {
    let rest = if sags {
        let rest = arm.static_equilibrium_under(q, &Conditions::default());
        Some(rest.map_err(|error| refused(&error))?.q)
    } else {
        None
    };
    let deflection = match &rest {
        Some(rest) => Some(arm.deflection(frame, q, rest).map_err(|error| refused(&error))?.world),
        None => None,
    };
    let q = rest.unwrap_or_else(|| q.to_vec());
    let pose = arm.pose(&q, arm.frames()[frame].name());
    let pose = pose.map_err(|error| Failure::of(&error, "change the posture"))?;
    Ok(Forward { arm, frame, q, pose, deflection })
}

/// The axis of a rotation, and its angle (rad); without a turn the axis is z.
fn axis_angle(pose: &Pose<f64>) -> ([f64; 3], f64) {
    let vector = rotation_vector(&pose.rotation);
    let angle = vector.norm();
    let axis = if angle > 0.0 { vector * angle.recip() } else { Vec3::new(0.0, 0.0, 1.0) };
    (axis.to_array(), angle)
}

impl Forward<'_> {
    fn name(&self) -> &str {
        self.arm.frames()[self.frame].name()
    }

    /// The configuration, sagging where that is asked for.
    pub(super) fn posture(&self) -> &[f64] {
        &self.q
    }

    pub(super) fn text(&self) -> String {
        let degrees = |angles: &[f64]| -> Vec<String> {
            angles.iter().map(|angle| figure(angle.to_degrees(), 180.0)).collect()
        };
        let (axis, angle) = axis_angle(&self.pose);
        let quaternion = Quaternion::from_matrix(&self.pose.rotation).to_array();
        let unit =
            |numbers: &[f64]| -> Vec<String> { numbers.iter().map(|&x| figure(x, 1.0)).collect() };
        let mut lines = vec![
            ("position [m]", figures(&self.pose.position.to_array())),
            ("roll, pitch, yaw [deg]", degrees(&roll_pitch_yaw(&self.pose.rotation))),
            ("quaternion w, x, y, z", unit(&quaternion)),
            ("axis", unit(&axis)),
            ("angle [deg]", degrees(&[angle])),
        ];
        let rows = self.pose.rotation.to_rows();
        lines.extend(["rotation matrix", "", ""].into_iter().zip(rows.map(|row| unit(&row))));
        if let Some(deflection) = self.deflection {
            let millimetres = deflection.to_array().map(|x| 1e3 * x);
            lines.push(("deflection [mm]", figures(&millimetres)));
        }
        let lines: Vec<Vec<String>> = lines
            .into_iter()
            .map(|(name, cells)| std::iter::once(name.to_owned()).chain(cells).collect())
            .collect();
        let coordinates = self.arm.configuration_coordinates();
        let is_bent = coordinates.iter().any(|own| own.role.deforms() && self.q[own.index] != 0.0);
        let how = match self.deflection {
            Some(_) => "with its static deflection",
            None if is_bent => "deformed as given",
            None => "undeformed",
        };
        format!("{} of {}, {how}\n{}", self.name(), self.arm.name(), table(&lines, 1))
    }

    pub(super) fn json(&self) -> Result<String, Failure> {
        let names = self.arm.configuration_names().iter().cloned();
        let q: serde_json::Map<String, Value> =
            names.zip(self.q.iter().map(|&x| x.into())).collect();
        let (axis, angle) = axis_angle(&self.pose);
        pretty(&json!({
            "arm": self.arm.name(),
            "frame": self.name(),
            "q": q,
            "position": self.pose.position.to_array(),
            "rotation": self.pose.rotation.to_rows(),
            "quaternion": Quaternion::from_matrix(&self.pose.rotation).to_array(),
            "rpy": roll_pitch_yaw(&self.pose.rotation),
            "axis": axis,
            "angle": angle,
            "deflection": self.deflection.map(Vec3::to_array),
        }))
    }

    pub(super) fn csv(&self) -> String {
        let position = self.pose.position.to_array();
        let quaternion = Quaternion::from_matrix(&self.pose.rotation).to_array();
        let rpy = roll_pitch_yaw(&self.pose.rotation);
        let all = position.iter().chain(&quaternion).chain(&rpy);
        let cells: Vec<String> = all.map(|x| format!("{x:?}")).collect();
        format!(
            "x [m],y [m],z [m],qw,qx,qy,qz,roll [rad],pitch [rad],yaw [rad]\n{}\n",
            cells.join(",")
        )
    }
}
