//! How far an arm can reach.

use crate::arm::{Arm, Joint};
use crate::dynamics::kinematics::Workspace;
use crate::spatial::Vec3;

impl Arm<f64> {
    /// An upper bound for the distance (m) of any frame from the world origin, or from the free
    /// body that carries it, with undeformed links: the distances from link frame to link frame,
    /// added up. `None` where a prismatic joint or a sliding link has no limits.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::spatial::Pose;
    /// let turning = |name| Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0]));
    /// let fore = turning("fore").placed(Pose::at(0.5, 0.0, 0.0)).frame("tool", Pose::at(0.3, 0.4, 0.0));
    /// let arm = Builder::new("arm").link(turning("upper")).link(fore).build()?;
    /// assert!((arm.reach().expect("no slides") - 1.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reach(&self) -> Option<f64> {
        let own_frames = self.own_frames();
        let mut work = Workspace::new(self);
        let mut farthest = vec![0.0_f64; self.body_count()];
        for link in (0..self.body_count()).filter(|&link| !self.is_rotor(link)) {
            let parent = self.parent_of(link);
            if let Joint::Free = self.joints()[link] {
                continue;
            }
            let mut length = 0.0_f64;
            for q in self.ends_of_slides(link)? {
                let placed = work.place(self, &q);
                let at = |link: usize| placed.pose(own_frames[link]).position;
                length = length.max((at(link) - parent.map_or(Vec3::ZERO, at)).norm());
            }
            farthest[link] = length + parent.map_or(0.0, |parent| farthest[parent]);
        }
        let placed = work.place(self, &self.neutral());
        let mut most = 0.0_f64;
        for frame in 0..self.frames().len() {
            let link = own_frames.partition_point(|own| *own <= frame) - 1;
            let from = placed.pose(own_frames[link]).position;
            most = most.max(farthest[link] + (placed.pose(frame).position - from).norm());
        }
        Some(most)
    }

    /// The frame of each body's own name. Frames stand body by body, the own one first.
    fn own_frames(&self) -> Vec<usize> {
        let mut frames = self.frames().iter().enumerate();
        self.link_names()
            .iter()
            .filter_map(|link| frames.find(|(_, frame)| frame.name() == link).map(|(i, _)| i))
            .collect()
    }

    /// The configurations at the ends of a link's slides, where it is farthest from its parent.
    fn ends_of_slides(&self, link: usize) -> Option<Vec<Vec<f64>>> {
        let mut ends = vec![self.neutral()];
        let joint = self.joints()[link].turns().iter().zip(self.configuration_of(link));
        let slides = joint.filter(|(turns, _)| !**turns).map(|(_, q)| q);
        for q in slides.chain(self.length_of(link).map(|(q, _)| q)) {
            let limits = self.limits()[q].filter(|l| l.lower.is_finite() && l.upper.is_finite())?;
            let at = |value: f64| {
                ends.iter().map(move |end| {
                    let mut end = end.clone();
                    end[q] = value;
                    end
                })
            };
            ends = at(limits.lower).chain(at(limits.upper)).collect();
        }
        Some(ends)
    }
}
