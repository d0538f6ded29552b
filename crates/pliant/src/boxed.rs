//! Copies of what is behind a `Box`.

/// Makes `Box<dyn Trait>` cloneable: the trait has the named one as a supertrait, which every type
/// that is `Clone` has.
macro_rules! cloneable {
    ($(#[$doc:meta])* $Clone:ident, $Trait:ident) => {
        $(#[$doc])*
        pub trait $Clone {
            /// A copy.
            fn boxed(&self) -> Box<dyn $Trait>;
        }

        impl<T: $Trait + Clone + 'static> $Clone for T {
            fn boxed(&self) -> Box<dyn $Trait> {
                Box::new(self.clone())
            }
        }

        impl Clone for Box<dyn $Trait> {
            fn clone(&self) -> Self {
                // that of what is inside, not that of the box
                (**self).boxed()
            }
        }
    };
}
pub(crate) use cloneable;
