/**
 * What V8 is given in a process of `serve` or `probe`. Without `--no-memory-reducer` the heap of a process at rest is
 * marked every 20 s, in vain. `--heap-growing-percent=100` begins a collection of everything when the heap has doubled
 * since the last one. V8 itself begins one after a few megabytes when a heap hardly grows, as buffers of sockets count:
 * every 7 s in an ingest process, which was more than half of its processor time.
 */
export const heapFlags = ['--no-memory-reducer', '--heap-growing-percent=100']

/** A larger young generation for a control plane: objects of a request rarely survive it, so pauses are shorter. */
export const youngMemory = '--max-semi-space-size=32'
