//! Cranelift's just-in-time compiler, and the one place where generated code is called.

pub(crate) mod call;
pub(crate) mod job;
pub(crate) mod kept;

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, Block, Signature, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use interpreter::code::Word;
use interpreter::limits::MAX_OUTCOMES;

use self::job::{Exit, Job, Shape, looks_each_time};
use self::kept::Kept;
use crate::emit::{Emitter, Finished, Services};
use crate::expand::{Frame, over_states};
use crate::filler::Filler;

/// The machine code of a function.
type Entry = unsafe extern "C" fn(*mut Job) -> u64;

/// A function of some code, by its position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function(usize);

/// A declared or compiled function, with what must be known to make room for its results.
#[derive(Clone, Copy, Debug)]
struct FunctionInfo<F> {
    function: F,
    shape: Shape,
    /// The greatest number of results of one state.
    results: u64,
}

/// A collection of functions that are compiled together.
pub(crate) struct JitCompiler {
    module: JITModule,
    context: Context,
    builders: FunctionBuilderContext,
    declared: Vec<FunctionInfo<FuncId>>,
    /// The functions that these call to fill their tables.
    fillers: Vec<(FuncId, Filler)>,
    kept: Vec<Kept>,
    /// Whether to keep the text of the code.
    pub(crate) listing: Option<String>,
    /// What the functions use besides states.
    pub(crate) services: Services,
}

/// Compiled code. It does not change any more, and lives as long as this value.
pub(crate) struct Code {
    module: Option<JITModule>,
    functions: Vec<FunctionInfo<Entry>>,
    /// The memory that the functions read and write besides the job.
    kept: Vec<Kept>,
}

/// Maximum number of results for which room is made at once.
const MOST: u64 = 1 << 18;

/// Why nothing can be compiled on this machine.
pub(crate) type Unsupported = String;

impl JitCompiler {
    /// A compiler for the machine that we run on.
    pub(crate) fn new() -> Result<Self, Unsupported> {
        let mut flags = settings::builder();
        let wanted = [
            ("opt_level", "speed"),
            // It takes 7 % of the time of translation. Code that is not well formed would make the compiler panic, or give false answers;
            // so it is refused, and all is interpreted.
            ("enable_verifier", "true"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            // A stack frame that is larger than the guard page must not be able to skip it.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
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
            fillers: Vec::new(),
            kept: Vec::new(),
            listing: None,
            services: Services::default(),
        })
    }

    /// Compiles a function of a [`Job`]: `body` emits what it does with each state, and may tell something about it.
    pub(crate) fn function<T>(
        &mut self,
        shape: Shape,
        body: impl for<'b> FnOnce(&mut Emitter<'b>, &Frame) -> T,
    ) -> Result<(Function, T), Unsupported> {
        let mut signature = self.module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        let (builder, job) = begin(&mut self.context, &mut self.builders, signature);
        let (emitted, told) = over_states(builder, job, (shape, self.services.clone()), body);
        let finished = emitted.finish(self.module.target_config());
        let Finished {
            kept,
            fillers,
            results,
        } = finished;
        if !shape.each && results > MOST {
            return Err("a state may have too many results".into());
        }
        let function = self.define(kept)?;
        self.declared.push(FunctionInfo {
            function,
            shape,
            results,
        });
        for filler in fillers {
            self.filler(filler, shape.words)?;
        }
        Ok((Function(self.declared.len() - 1), told))
    }

    /// Compiles a function that fills tables of a function on states with so many words.
    fn filler(&mut self, filler: Filler, words: usize) -> Result<(), Unsupported> {
        let signature = Filler::signature();
        let (builder, frame) = begin(&mut self.context, &mut self.builders, signature);
        let emitted = Emitter::filling(builder, frame, &filler, words, self.services.audit.clone());
        let finished = emitted.finish(self.module.target_config());
        let function = self.define(finished.kept)?;
        self.fillers.push((function, filler));
        Ok(())
    }

    /// Compiles the function that was emitted last, which needs this memory.
    fn define(&mut self, kept: Vec<Kept>) -> Result<FuncId, Unsupported> {
        self.kept.extend(kept);
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
        self.module.clear_context(&mut self.context);
        Ok(id)
    }

    /// Compiles functions that together evaluate formulas in states with the given number of words: the time and the memory that the
    /// compiler takes grow faster than a function.
    pub(crate) fn verdicts(
        &mut self,
        words: usize,
        formulas: &[&Word],
    ) -> Result<Vec<Function>, Unsupported> {
        let shape = Shape {
            words,
            result: 1,
            each: looks_each_time(formulas.len() as u64),
            clauses: None,
        };
        let (mut functions, mut first) = (Vec::new(), 0);
        let entries = self.services.entries;
        while first < formulas.len() {
            let (function, (next, left)) = self.function(shape, |e, frame| {
                (frame.verdicts(e, formulas, first), e.entries())
            })?;
            functions.push(function);
            (first, self.services.entries) = (next, left);
        }
        self.services.entries = entries;
        Ok(functions)
    }

    /// Makes the functions callable.
    pub(crate) fn finish(mut self) -> Result<Code, Unsupported> {
        let made = self.module.finalize_definitions();
        made.map_err(|error| error.to_string())?;
        let functions = self.declared.iter().map(|made| {
            let address = self.module.get_finalized_function(made.function);
            // SAFETY: the function was declared with this signature, and `Code` keeps its memory.
            #[allow(unsafe_code)]
            let function = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
            FunctionInfo {
                function,
                shape: made.shape,
                results: made.results,
            }
        });
        let functions = functions.collect();
        for (function, filler) in &self.fillers {
            filler.lies_at(self.module.get_finalized_function(*function));
        }
        Ok(Code {
            functions,
            module: Some(self.module),
            kept: self.kept,
        })
    }
}

/// Begins a function of one parameter.
fn begin<'f>(
    context: &'f mut Context,
    builders: &'f mut FunctionBuilderContext,
    signature: Signature,
) -> (FunctionBuilder<'f>, Value) {
    context.func.signature = signature;
    let mut builder = FunctionBuilder::new(&mut context.func, builders);
    let block: Block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_block(block);
    let parameter = builder.block_params(block)[0];
    (builder, parameter)
}

impl Code {
    /// How many terms it looks up.
    pub(crate) fn tables(&self) -> usize {
        let is_table = |kept: &&Kept| matches!(kept, Kept::Table(_) | Kept::Sets(_));
        self.kept.iter().filter(is_table).count()
    }

    /// Forgets the answers of the interpreter.
    pub(crate) fn forget(&self) {
        for kept in &self.kept {
            if let Kept::Asked(asked) = kept {
                asked.forget();
            }
        }
    }

    /// What a function reads and writes.
    pub(crate) fn shape(&self, function: Function) -> Shape {
        self.functions[function.0].shape
    }

    /// The greatest number of results of a function for one state.
    pub(crate) fn results(&self, function: Function) -> u64 {
        self.functions[function.0].results
    }

    /// The number of words that must be free when a function checks for room.
    pub(crate) fn needs(&self, function: Function) -> usize {
        let FunctionInfo { shape, results, .. } = self.functions[function.0];
        let results = if shape.each { 1 } else { results };
        usize::try_from(results).map_or(usize::MAX, |n| n.saturating_mul(shape.result))
    }

    /// The number of words of more results than the interpreter lists for one state.
    pub(crate) fn most(&self, function: Function) -> usize {
        let result = self.shape(function).result as u64;
        usize::try_from((MAX_OUTCOMES + 1).saturating_mul(result)).unwrap_or(usize::MAX)
    }

    /// Calls a function.
    ///
    /// # Safety
    /// The job points to what its fields say for a function of this [`Shape`]: to `count` states, to room for results up to
    /// [`Code::needs`] words after `limit`, and, if the function reports clauses, to `count` entries for states and one
    /// entry for each clause that it reports. Nobody else reads or writes these while the call lasts.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn call(&self, function: Function, job: &mut Job) -> Exit {
        // SAFETY: what the function was emitted for is its shape, `self` owns everything else that it points to, and the
        // caller guarantees the job.
        Exit::decode(unsafe { (self.functions[function.0].function)(job) })
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
