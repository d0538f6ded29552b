//! Arms without terms of the bending and the twist of their links.

use crate::arm::Arm;

/// The arm without the terms of second order that the bending of each link has by itself: its
/// moments of inertia are linear in its coordinates, without the `I^ff`, and its bending has no angular
/// momentum of its own, without the `f` of King (2-21). How its end moves is unchanged.
///
/// For comparison only, of links that do not shorten: it answers King, section 6.2, who asks which of
/// these terms matter.
#[must_use]
pub fn with_linear_inertia(arm: &Arm) -> Arm {
    let mut changed = arm.clone();
    for bend in &mut changed.flexible_bodies {
        bend.flexible.drop_second_order();
    }
    changed
}

/// The arm without what the spin of its sections about their links has to do with their twist: the cross
/// term `ρI_p ω_x θ̇` of their kinetic energy `½ ρI_p (ω_x + θ̇)²`, which King leaves out.
///
/// For comparison only, of links with round sections.
#[must_use]
pub fn without_section_spin(arm: &Arm) -> Arm {
    let mut changed = arm.clone();
    for bend in &mut changed.flexible_bodies {
        bend.flexible.drop_section_spin();
    }
    changed
}
