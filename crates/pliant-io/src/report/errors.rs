//! How far a run was from its plan, where that was not recorded itself.

use pliant::simulate::{Channel, ChannelRole};

/// For each recorded `plan.NAME` with a recorded NAME the channel `NAME.error`, the plan less what is,
/// unless that was recorded.
pub(super) fn errors(names: &[Channel], columns: &[Vec<f64>]) -> Vec<(Channel, Vec<f64>)> {
    let find = |name: &str| names.iter().position(|channel| channel.name == name);
    let planned = names.iter().enumerate().filter(|(_, one)| one.role == ChannelRole::Reference);
    let made = planned.filter_map(|(plan, reference)| {
        let name = reference.name.strip_prefix("plan.")?;
        let (actual, error) = (find(name)?, format!("{name}.error"));
        if find(&error).is_some() {
            return None;
        }
        let values = columns[actual].iter().zip(&columns[plan]).map(|(is, should)| should - is);
        let channel = Channel { name: error, role: ChannelRole::Error, ..names[actual].clone() };
        Some((channel, values.collect()))
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::errors;
    use pliant::simulate::{Channel, ChannelRole};

    #[test]
    fn errors_are_made_once_and_only_where_both_are_known() {
        let channel = |name: &str, role| Channel::new(name, "rad", role);
        let mut names = vec![
            channel("t", ChannelRole::Time),
            channel("upper", ChannelRole::Position),
            channel("plan.upper", ChannelRole::Reference),
            channel("plan.fore", ChannelRole::Reference),
        ];
        let mut columns = vec![vec![0.0, 1.0], vec![0.5, 0.75], vec![0.5, 1.0], vec![0.0, 0.0]];
        let made = errors(&names, &columns);
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].0.name.as_str(), made[0].0.unit.as_str()), ("upper.error", "rad"));
        assert_eq!(made[0].1, [0.0, 0.25]);
        names.push(channel("upper.error", ChannelRole::Error));
        columns.push(vec![0.0; 2]);
        assert!(errors(&names, &columns).is_empty());
    }
}
