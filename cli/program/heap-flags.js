/** Without collections whose only aim is a smaller heap: that of a process at rest was marked every 20 s, in vain. */
export const restsIdle = '--no-memory-reducer'

/**
 * For a process of `serve` or `probe`. With the second flag V8 collects everything once the heap has doubled. Without
 * it V8 leaves a heap that hardly grows little room, and buffers of sockets count: it marked that of an ingest process
 * every 7 s, with more than half of the processor time.
 */
export const heapFlags = [restsIdle, '--heap-growing-percent=100']

/** A larger young generation for a control plane: objects of a request rarely survive it, so pauses are shorter. */
export const youngMemory = '--max-semi-space-size=32'
