//! What links are made of.

use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{Angle, Density, Either, Measured, Modulus, Number, Numbers, Or, Pressure};
use crate::spec::Form;
use crate::table::{Field, Shape, table};
use crate::units::short;
use pliant::beam::{Material, Ply};

/// A material by name.
pub(crate) struct KnownMaterial;

impl Shape for KnownMaterial {
    type Value = Material;
    const FORM: Form = Form::Word(&[
        "steel",
        "aluminium",
        "aluminum",
        "titanium",
        "cfrp-ud",
        "cfrp-tube",
        "cfrp-quasi-isotropic",
    ]);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Material> {
        match &node.value {
            // two spellings, of which one is offered
            Value::Text(name) if name == "aluminum" => Material::named(name),
            _ => {
                let what = if key == "name" { "the name of the material" } else { key };
                Material::named(reader.word(what, node, Material::NAMES.into_iter())?)
            }
        }
    }
    fn write(value: &Material) -> Value {
        Value::Text(value.name.clone())
    }
    fn suits(value: &Value) -> bool {
        matches!(value, Value::Text(_))
    }
}

table! {
    /// A material: its properties, or those of a known material with changes, or a layup of carbon
    /// fibre T300/5208.
    pub(crate) struct MaterialTable = "a material",
        "write material = \"aluminium\", or { young = \"70 GPa\", shear = \"26 GPa\", density = \"2700 kg/m^3\" }";
    keys {
        /// A known material; the other keys override its properties.
        name: KnownMaterial [or "young, shear and density are required, or layup"],
        /// The angles between the plies of T300/5208 and the link's axis, each +a with its -a; the
        /// other keys override the result.
        layup: Numbers<Angle> [or "young, shear and density are required, or name"],
        /// Young's modulus along the link.
        young: Number<Modulus> [or "that of name or layup"],
        /// Shear modulus.
        shear: Number<Modulus> [or "that of name or layup"],
        /// Density.
        density: Number<Density> [or "that of name or layup"],
        /// The allowable stress.
        strength: Number<Pressure> [or "that of name or layup, if it is known"],
    }
}

/// A material by name or as a table.
pub(crate) type MadeOf = Or<KnownMaterial, MaterialTable>;

/// What is held of a material.
pub(super) type Made = Either<Material, MaterialTable>;

/// The material that a file describes.
pub(super) fn material(reader: &mut Reader, made: &Made) -> Option<Material> {
    match made {
        Either::Short(known) => Some(known.clone()),
        Either::Table(table) => table.material(reader),
    }
}

/// What describes a material.
pub(super) fn made(material: &Material) -> Made {
    if Material::named(&material.name).as_ref() == Some(material) {
        return Either::Short(material.clone());
    }
    Either::Table(MaterialTable {
        young: material.young.into(),
        shear: material.shear.into(),
        density: material.density.into(),
        strength: material.strength.into(),
        ..MaterialTable::default()
    })
}

impl MaterialTable {
    /// A material by its properties, or with changes to a known one or to a layup.
    fn material(&self, reader: &mut Reader) -> Option<Material> {
        let Self { name, layup, young, shear, density, strength, .. } = self;
        reader.exclude(&[name.given(), layup.given()], "a material begins with one of them");
        let base = if name.is_given() { name.value.clone() } else { self.laminate(reader) };
        let begun = name.is_given() || layup.is_given();
        let right = [
            is_positive::<Modulus>(reader, young),
            is_positive::<Modulus>(reader, shear),
            is_positive::<Density>(reader, density),
            is_positive::<Pressure>(reader, strength),
        ];
        let of_base = base.as_ref().map(|m| [m.young, m.shear, m.density]);
        let given = [young, shear, density].map(Field::is_given);
        let missing: Vec<&str> = ["young", "shear", "density"]
            .into_iter()
            .zip(given)
            .filter_map(|(key, given)| (!given && !begun).then_some(key))
            .collect();
        if !missing.is_empty() {
            reader.push(
                Problem::error(
                    &codes::MISSING_KEY,
                    format!("the material has no {}", missing.join(" and no ")),
                )
                .at(self.span.clone())
                .help("add young = \"70 GPa\", shear = \"26 GPa\" and density = \"2700 kg/m^3\", or begin with a known one: name = \"aluminium\""),
            );
        }
        if right.contains(&false) || !missing.is_empty() || begun && base.is_none() {
            return None;
        }
        if let Some(base) = &base
            && !given.contains(&true)
            && !strength.is_given()
        {
            return Some(base.clone());
        }
        let [of_young, of_shear, of_density] = of_base.unwrap_or_default();
        Some(Material {
            name: "given".to_owned(),
            young: young.value.unwrap_or(of_young),
            shear: shear.value.unwrap_or(of_shear),
            density: density.value.unwrap_or(of_density),
            strength: strength.value.or(base.and_then(|base| base.strength)),
            source: "given",
        })
    }

    fn laminate(&self, reader: &mut Reader) -> Option<Material> {
        let (place, angles) = self.layup.given().zip(self.layup.get())?;
        if angles.is_empty() {
            reader.push(
                Problem::error(&codes::WRONG_COUNT, "the layup has no plies")
                    .at(place.value.clone())
                    .help(
                        "give the angle of each ply: [\"0 deg\", \"45 deg\", \"-45 deg\", \"90 deg\"]",
                    ),
            );
            return None;
        }
        let degrees: Vec<f64> = angles.iter().map(|angle| angle.to_degrees()).collect();
        // a ply lies as it did after half a turn
        let same = |a: f64, b: f64| ((a - b) / 180.0 - ((a - b) / 180.0).round()).abs() < 1e-6;
        let count = |wanted: f64| degrees.iter().filter(|angle| same(**angle, wanted)).count();
        if let Some(alone) = degrees.iter().find(|angle| count(**angle) != count(-**angle)) {
            let message = format!(
                "the layup has more plies at {0} deg than at {1} deg",
                short(*alone),
                short(-alone)
            );
            reader.push(
                Problem::error(&codes::UNBALANCED_LAYUP, message)
                    .at(place.value.clone())
                    .label("twists when it is pulled")
                    .help("give every ply its mirror image: [\"0 deg\", \"45 deg\", \"-45 deg\"]"),
            );
            return None;
        }
        let source = "T300/5208 (Tsai and Hahn 1980), by lamination theory";
        Some(Material::laminate(&Ply::T300_5208, &degrees, source))
    }
}

/// Whether a property of a material is positive, or left out.
fn is_positive<Q: Measured>(reader: &mut Reader, property: &Field<f64>) -> bool {
    let Some((place, number)) = property.given().zip(property.value) else {
        return !property.is_wrong();
    };
    if number > 0.0 {
        return true;
    }
    let (key, quantity) = (place.name, Q::QUANTITY);
    reader.push(
        Problem::error(
            &codes::IMPOSSIBLE_BEAM,
            format!("{key} of the material is {number:e} {}, expected more than zero", quantity.si),
        )
        .at(place.value.clone())
        .label("not positive")
        .help(format!("write {key} = \"{}\"", quantity.example)),
    );
    false
}
