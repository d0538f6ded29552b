//! What is recorded, and events.

use super::Bench;
use crate::arm::{Arm, Frame, FrameRole};
use crate::name::check_title;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::simulate::{Catalogue, ChannelGroup, Expression, Selection};

impl Bench<'_> {
    /// The recorded channels.
    pub(super) fn selection(&mut self) {
        let Some(patterns) = &self.scenario.record.channels else {
            self.diagram.selection = usual_channels(&self.diagram.catalogue(), &self.arm, self.tip);
            return;
        };
        self.diagram.selection = Selection::new(patterns.iter().map(String::as_str));
        let catalogue = self.diagram.catalogue();
        for (item, name) in patterns.iter().enumerate() {
            if Selection::new([name.as_str()]).resolve(&catalogue).is_err() {
                let groups = ChannelGroup::ALL.iter().map(|group| group.word().to_owned());
                let channels = catalogue.channels().iter().map(|channel| channel.name.clone());
                let known = groups.chain(channels).collect();
                let kind = ScenarioFaultKind::UnknownChannel { name: name.clone(), known };
                self.refuse(&FaultPlace::new("record").key("channels").item(item), kind);
            }
        }
    }

    /// Events to detect.
    pub(super) fn events(&mut self) {
        let events = &self.scenario.events;
        if events.is_empty() {
            return;
        }
        self.diagram.events.clone_from(events);
        let catalogue = self.diagram.catalogue();
        let names = catalogue.channels().iter().map(|channel| channel.name.clone());
        let known: Vec<String> = std::iter::once("t".to_owned()).chain(names).collect();
        for (item, event) in events.iter().enumerate() {
            let place = FaultPlace::new("event").item(item);
            // without a name of its own it has its expression
            let own = place.clone().owned("event", &event.name);
            self.has_name(&own, &event.name, check_title(&event.name));
            let variable = |name: &str| known.iter().position(|known| known == name);
            let Some(text) = event.quantity.expression() else { continue };
            if let Err(error) = Expression::parse(text, variable) {
                let kind = ScenarioFaultKind::Expression { error, known: known.clone() };
                self.refuse(&place.key("expression"), kind);
            }
        }
    }
}

/// The default, where the tips are, and how far their own links deflect them.
fn usual_channels(catalogue: &Catalogue, arm: &Arm, tip: Option<usize>) -> Selection {
    let end = tip.map(|tip| &arm.frames()[tip]);
    let tips = arm.frames().iter().filter(|frame| frame.role() == FrameRole::Tip);
    let others = end.filter(|frame| frame.role() != FrameRole::Tip);
    let ends: Vec<&str> = tips.chain(others).map(Frame::name).collect();
    let positions = ends.iter().map(|name| format!("{name}.position.*"));
    let bends = |name: &&&str| catalogue.find(&format!("{name}.deflection.x")).is_some();
    let bent = ends
        .iter()
        .filter(bends)
        .flat_map(|name| ["deflection.*", "slope.*"].map(|part| format!("{name}.{part}")));
    Selection::default().and(positions).and(bent)
}
