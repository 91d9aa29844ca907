//! The macro that makes a component out of a type.

/// Exports a type that implements [`Adapter`](crate::Adapter), and the optional interfaces named
/// after a colon: `export!(P)`, `export!(P: hooks, present, translate)`.
///
/// On native targets it only checks that the traits are implemented: the symbols of a component do
/// not link outside wasm, and unit tests need none.
#[macro_export]
macro_rules! export {
    ($plugin:ident $(: $($interface:ident),+ $(,)?)?) => {
        $crate::export!(@one $plugin adapter);
        $($($crate::export!(@one $plugin $interface);)+)?
    };
    (@one $plugin:ident $interface:ident) => {
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code, unused_qualifications)]
        const _: () = {
            $crate::bindings::$interface::export!(
                $plugin with_types_in $crate::bindings::$interface
            );
        };
        #[cfg(not(target_family = "wasm"))]
        const _: () = {
            const fn implements<P>()
            where
                P: $crate::bindings::$interface::exports::dapdock::plugin::$interface::Guest,
            {
            }
            implements::<$plugin>()
        };
    };
}
