//! An arm as a table.

use super::coordinate::Coordinate;
use super::tree::Arm;
use crate::scalar::short;
use std::fmt;

/// Name, size and mass, then a line for each link: what it hangs on, its joint, its mass and its
/// coordinates with their units.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
///
/// let link = Link::new("upper").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(2.0, [1.0, 0.0, 0.0]);
/// let arm = Builder::new("pendulum").link(link).build()?;
/// let table = "pendulum: 1 degree of freedom, 2 kg\n\
///     link   parent  joint     mass [kg]  coordinates\n\
///     upper  ground  revolute  2          upper [rad]\n";
/// assert_eq!(arm.to_string(), table);
/// # Ok::<(), pliant::arm::BuildError>(())
/// ```
impl fmt::Display for Arm<f64> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = || (0..self.body_count()).filter(|&body| !self.is_rotor(body));
        let freedoms = if self.nv() == 1 { "degree" } else { "degrees" };
        writeln!(
            f,
            "{}: {} {freedoms} of freedom, {} kg",
            self.name(),
            self.nv(),
            short(self.total_mass())
        )?;
        let mut lines =
            vec![["link", "parent", "joint", "mass [kg]", "coordinates"].map(str::to_owned)];
        for link in links() {
            let parent = self.parent_of(link).map_or("ground", |parent| &self.link_names()[parent]);
            let motor = self.rotor_of(link);
            let is_own = |own: &&Coordinate| own.body == link || Some(own.body) == motor;
            let own = self.configuration_coordinates().iter().filter(is_own);
            let coordinates: Vec<String> =
                own.map(|own| format!("{} [{}]", own.name, own.dimension.units()[0])).collect();
            lines.push([
                self.link_names()[link].clone(),
                parent.to_owned(),
                self.joints()[link].word().to_owned(),
                short(self.inertia_of(link).mass),
                coordinates.join(", "),
            ]);
        }
        let width = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
        };
        let widths: [usize; 4] = std::array::from_fn(width);
        for [link, parent, joint, mass, coordinates] in &lines {
            let [a, b, c, d] = widths;
            let line = format!("{link:a$}  {parent:b$}  {joint:c$}  {mass:d$}  {coordinates}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
