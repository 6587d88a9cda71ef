//! Why the given sizes do not define a finite instance.

/// Why the given sizes do not define a finite instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeError {
    /// A size was given for a name that is not a sort.
    UnknownSort {
        /// The name.
        name: String,
        /// The name of a sort that was probably meant.
        nearest: Option<String>,
    },
    /// A sort has no size.
    Missing(String),
    /// A size was given for the short name of several type parameters.
    Ambiguous {
        /// The short name.
        name: String,
        /// The type parameters with this short name.
        sorts: Vec<String>,
    },
    /// A sort was given a size of 0; every sort has at least one element.
    Zero(String),
    /// A size is too large to be run.
    TooLarge {
        /// The sort.
        name: String,
        /// The size asked for.
        size: u64,
        /// The largest size allowed.
        limit: u64,
    },
    /// A size was given for a sort whose size follows from another's.
    Derived {
        /// The sort.
        name: String,
        /// The sort it follows from.
        from: String,
    },
    /// An uninterpreted operator has no table, or one that does not fit its types.
    Uninterpreted(String),
}

impl std::fmt::Display for SizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownSort {
                name,
                nearest: None,
            } => write!(f, "no sort is named {name}"),
            Self::UnknownSort {
                name,
                nearest: Some(nearest),
            } => write!(f, "no sort is named {name}; did you mean {nearest}?"),
            Self::Missing(name) => {
                write!(
                    f,
                    "sort {name} has no size: give one with --sort {name}=3 or in ioa.toml"
                )
            }
            Self::Ambiguous { name, sorts } => write!(
                f,
                "several type parameters are named {name}: {}; name one of them",
                sorts.join(", ")
            ),
            Self::Zero(name) => write!(f, "sort {name} cannot have size 0: a sort is never empty"),
            Self::TooLarge { name, size, limit } => {
                write!(
                    f,
                    "size {size} of sort {name} is too large to run: the limit is {limit}, beyond which sets and arrays of elements take too much room; \
                     a proof needs no size"
                )
            }
            Self::Derived { name, from } => write!(
                f,
                "the size of sort {name} follows from that of {from} and cannot be given"
            ),
            Self::Uninterpreted(name) => {
                write!(
                    f,
                    "the operator {name} has no interpretation at these sizes"
                )
            }
        }
    }
}

impl std::error::Error for SizeError {}
