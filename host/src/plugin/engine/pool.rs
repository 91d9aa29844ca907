//! Reserves memory for guest calls once. Mapping and unmapping memory for every call takes longer,
//! and one step makes up to nine calls.
//!
//! Each call has enough memory for any component that can be loaded. No call fails because other
//! calls are running.

use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::limits::Limits;

/// Memories and tables of one component. One built with the SDK has one memory and two tables.
const MEMORIES: u32 = 2;
const TABLES: u32 = 8;

/// Entries of one table: the functions that a guest calls through pointers.
pub(crate) const TABLE: usize = 1 << 17;

/// Bytes of the record that wasmtime keeps of an instance; it grows with the number of functions
/// and is allocated for each call.
const RECORD: usize = 64 << 20;

/// Free memories that keep the static data of their plugin; only with more of them does a call of
/// another plugin take one.
const WARM: u32 = 8;

/// Bytes of a memory that stay mapped after a call: more than the stack and the static data of a
/// plugin built with the SDK.
const RESIDENT: usize = 2 << 20;

/// An engine with reserved memory for `limits.guest_calls` calls; where the address space is too
/// small for it (`ulimit -v`), an engine that maps memory for each call.
pub(crate) fn engine(config: &mut Config, limits: &Limits) -> wasmtime::Result<Engine> {
    let calls = u32::from(limits.guest_calls);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(calls)
        .total_core_instances(u32::MAX)
        .total_memories(calls * MEMORIES)
        .total_tables(calls * TABLES)
        .total_stacks(calls)
        .max_component_instance_size(RECORD)
        .max_core_instance_size(RECORD)
        .max_memories_per_component(MEMORIES)
        .max_memories_per_module(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_tables_per_module(TABLES)
        .table_elements(TABLE)
        .max_unused_warm_slots(WARM)
        .linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(RESIDENT)
        .pagemap_scan(Enabled::Auto);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(config).or_else(|error| {
        tracing::warn!(%error, "no memory could be reserved for plugins; each call maps its own");
        config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
        Engine::new(config)
    })
}
