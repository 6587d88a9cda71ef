//! Cranelift's just-in-time compiler, and the one place where generated code is called.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, Block, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use crate::emit::Table;

/// What generated code works on. Its fields are read and written by offset.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Job {
    /// The states, packed one after another.
    pub(crate) states: *const u64,
    /// How many there are.
    pub(crate) count: u64,
    /// The position of the state to begin with; afterwards of the first that is not done.
    pub(crate) at: u64,
    /// Where the results go; afterwards behind the last of them.
    pub(crate) out: *mut u64,
    /// No state is begun (or, where that would be too far off, no result is stored) behind this.
    pub(crate) limit: *mut u64,
    /// Where the results begin.
    pub(crate) base: *mut u64,
    /// For each state, where the number of results goes.
    pub(crate) ends: *mut u32,
    /// For each state, whether a locally controlled action is enabled.
    pub(crate) active: *mut bool,
    /// For each clause, the bytes of its results.
    pub(crate) fired: *mut u64,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All states are done.
    Done,
    /// There is no room for the results of the next state.
    Full,
    /// In the next state some term has no value, or so it seems.
    Trouble,
}

impl Ended {
    pub(crate) const CODES: [Self; 3] = [Self::Done, Self::Full, Self::Trouble];
}

/// A function that was compiled.
pub(crate) type Entry = unsafe extern "C" fn(*mut Job) -> u64;

/// A collection of functions that are compiled together.
pub(crate) struct Workshop {
    module: JITModule,
    context: Context,
    builders: FunctionBuilderContext,
    declared: Vec<FuncId>,
    tables: Vec<Table>,
    /// Whether to keep the text of the code.
    pub(crate) listing: Option<String>,
}

/// Compiled code. It is not changed any more, and lives as long as this does.
pub(crate) struct Code {
    module: Option<JITModule>,
    entries: Vec<Entry>,
    /// What the functions read and write besides the job.
    tables: Vec<Table>,
}

/// Why nothing can be compiled on this machine.
pub(crate) type Unsupported = String;

impl Workshop {
    /// For the machine that we run on.
    pub(crate) fn new() -> Result<Self, Unsupported> {
        let mut flags = settings::builder();
        let checked = cfg!(debug_assertions).to_string();
        let wanted = [
            ("opt_level", "speed"),
            ("enable_verifier", &checked),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_probestack", "false"),
            ("unwind_info", "false"),
            ("enable_heap_access_spectre_mitigation", "false"),
            ("enable_table_access_spectre_mitigation", "false"),
        ];
        for (name, value) in wanted {
            flags.set(name, value).map_err(|error| error.to_string())?;
        }
        let isa = cranelift_native::builder()?
            .finish(settings::Flags::new(flags))
            .map_err(|error| error.to_string())?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        Ok(Self {
            context: module.make_context(),
            module,
            builders: FunctionBuilderContext::new(),
            declared: Vec::new(),
            tables: Vec::new(),
            listing: None,
        })
    }

    /// Compiles a function of a [`Job`]: `emit` gets the builder, at the first block, and the pointer to the job.
    pub(crate) fn function(
        &mut self,
        emit: impl for<'b> FnOnce(FunctionBuilder<'b>, Value) -> (FunctionBuilder<'b>, Vec<Table>),
    ) -> Result<(), Unsupported> {
        let mut signature = self.module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        self.context.func.signature = signature;
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builders);
        let block: Block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let job = builder.block_params(block)[0];
        let (builder, tables) = emit(builder, job);
        builder.finalize(self.module.target_config());
        self.tables.extend(tables);
        self.context.set_disasm(self.listing.is_some());
        let signature = self.context.func.signature.clone();
        let id = self
            .module
            .declare_anonymous_function(&signature)
            .map_err(|error| error.to_string())?;
        self.module
            .define_function(id, &mut self.context)
            .map_err(|error| format!("{error:?}"))?;
        if let (Some(listing), Some(code)) = (&mut self.listing, self.context.compiled_code()) {
            listing.push_str(code.vcode.as_deref().unwrap_or_default());
        }
        self.declared.push(id);
        self.module.clear_context(&mut self.context);
        Ok(())
    }

    /// Makes the functions callable, in the order in which they were compiled.
    pub(crate) fn finish(mut self) -> Result<Code, Unsupported> {
        let made = self.module.finalize_definitions();
        made.map_err(|error| error.to_string())?;
        let entries = self.declared.iter().map(|id| {
            let address = self.module.get_finalized_function(*id);
            // SAFETY: the function was declared with this signature, and `Code` keeps its memory.
            #[allow(unsafe_code)]
            unsafe {
                std::mem::transmute::<*const u8, Entry>(address)
            }
        });
        let entries = entries.collect();
        Ok(Code {
            entries,
            module: Some(self.module),
            tables: self.tables,
        })
    }
}

impl Code {
    /// How many terms it looks up.
    pub(crate) fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Calls a function by its position.
    ///
    /// # Safety
    /// What the job points to must be as its fields say.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn call(&self, function: usize, job: &mut Job) -> Ended {
        // SAFETY: the function takes a job, and the caller answers for what that points to.
        let ended = unsafe { self.entries[function](job) };
        Ended::CODES[ended as usize]
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are called through `self` alone, so none is running or called afterwards.
            #[allow(unsafe_code)]
            unsafe {
                module.free_memory();
            }
        }
    }
}
