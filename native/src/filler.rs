//! Functions that fill memo tables: they compute a term whose value is not in its table yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, SigRef, Signature, StackSlot};
use cranelift_codegen::isa::CallConv;
use interpreter::code::Word;

use crate::support::Source;

/// A function that computes a term and puts its truth value into a table, unless the term has no value.
pub(crate) struct Filler {
    pub(crate) word: Word,
    /// What the term is computed from, with the bits that each can have.
    pub(crate) sources: Vec<(Source, u64)>,
    /// Where a caller puts the place of the table's entry, and then the sources.
    pub(crate) frame: StackSlot,
    /// How the caller calls it.
    pub(crate) signature: SigRef,
    /// Where the caller finds its address.
    pub(crate) address: Arc<AtomicU64>,
}

impl Filler {
    /// How it is called: with the address of the caller's frame.
    pub(crate) fn signature() -> Signature {
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params.push(AbiParam::new(I64));
        signature
    }

    /// Lets the caller know where the function is.
    pub(crate) fn lies_at(&self, address: *const u8) {
        let address = address.expose_provenance() as u64;
        self.address.store(address, Ordering::Relaxed);
    }
}
