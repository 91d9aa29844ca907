//! The table of errors: one row states the text, code, fault and remedies of a variant.
//!
//! Knows the form of the table. The rows stand in the `error` module of each part.

/// Defines an error enum from rows. A row is a variant with thiserror's `#[error(…)]`, followed by
/// `=> code, fault, remedies;`. The three expressions see the fields by reference, under their
/// names; `remedies` is a [`Remedies`](crate::model::Remedies) or converts into it.
///
/// `parts` lists enums of the same form that become transparent variants. `#[from]` adds `From`.
///
/// ```text
/// errors! {
///     /// What a breakpoint cannot be.
///     pub enum Error {
///         /// The file has fewer lines.
///         #[error("{} has {lines} lines, there is no line {line}", path.display())]
///         NoSuchLine {
///             /// The file.
///             path: PathBuf,
///             …
///         } => "no-such-line", Fault::Caller, Next::Breakpoints;
///     }
///     parts {
///         /// A value cannot be read.
///         Values(#[from] values::Error),
///     }
/// }
/// ```
macro_rules! errors {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[$meta:meta])*
                $variant:ident $({
                    $( $(#[$field_meta:meta])* $field:ident : $ty:ty ),* $(,)?
                })? => $code:expr, $fault:expr, $remedies:expr;
            )*
        }
        $( parts {
            $( $(#[$part_meta:meta])* $part:ident($(#[$from:meta])* $inner:ty) ),* $(,)?
        } )?
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, thiserror::Error)]
        $vis enum $name {
            $( $(#[$meta])* $variant $({ $( $(#[$field_meta])* $field: $ty ),* })?, )*
            $( $( $(#[$part_meta])* #[error(transparent)] $part($(#[$from])* $inner), )* )?
        }

        impl $name {
            /// Stable code, for callers that branch on it.
            pub fn code(&self) -> &'static str {
                match self {
                    $( Self::$variant { $( $( $field ),* )? } => {
                        let _ = ( $( $( $field, )* )? );
                        $code
                    } )*
                    $( $( Self::$part(error) => error.code(), )* )?
                }
            }

            /// The party that has to act.
            pub fn fault(&self) -> $crate::model::Fault {
                match self {
                    $( Self::$variant { $( $( $field ),* )? } => {
                        let _ = ( $( $( $field, )* )? );
                        $fault
                    } )*
                    $( $( Self::$part(error) => error.fault(), )* )?
                }
            }

            /// Remedies, the best first.
            pub fn remedies(&self) -> $crate::model::Remedies {
                match self {
                    $( Self::$variant { $( $( $field ),* )? } => {
                        let _ = ( $( $( $field, )* )? );
                        $crate::model::Remedies::from($remedies)
                    } )*
                    $( $( Self::$part(error) => error.remedies(), )* )?
                }
            }
        }
    };
}

pub(crate) use errors;

#[cfg(test)]
mod tests {
    use crate::model::{Fault, Next, Patch, Remedies, Remedy};

    errors! {
        /// Errors of a part.
        enum Part {
            /// A field in every column.
            #[error("no frame {index}{}", suffix(*index))]
            NoFrame {
                /// Its index.
                index: u32,
            } => if *index == 0 { "empty" } else { "no-frame" },
                Fault::Caller,
                Remedies::from(Patch::Again).or(Next::Pause).note("later");
        }
    }

    errors! {
        /// Errors of the whole.
        enum Whole {
            /// A row without fields.
            #[error("closed")]
            Closed => "closed", Fault::Host, Remedy::Person("start it".to_owned());
        }
        parts {
            /// Of the part.
            Part(#[from] Part),
        }
    }

    fn suffix(index: u32) -> &'static str {
        if index == 0 { "; the stack is empty" } else { "" }
    }

    #[test]
    fn row_states_text_code_fault_and_remedies() {
        let part = Whole::from(Part::NoFrame { index: 0 });
        assert_eq!(part.to_string(), "no frame 0; the stack is empty");
        assert_eq!((part.code(), part.fault()), ("empty", Fault::Caller));
        let remedies = part.remedies();
        assert_eq!(remedies.note.as_deref(), Some("later"));
        assert_eq!(remedies.list, [Remedy::Same(Patch::Again), Remedy::Call(Next::Pause)]);
        assert_eq!((Whole::Closed.code(), Whole::Closed.fault()), ("closed", Fault::Host));
        let person = Remedy::Person("start it".to_owned());
        assert_eq!(Whole::Closed.remedies(), Remedies::from(person));
        assert_eq!(Part::NoFrame { index: 1 }.code(), "no-frame");
    }
}
