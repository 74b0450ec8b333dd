export const heapFlags: readonly string[]
export const youngMemory: string
