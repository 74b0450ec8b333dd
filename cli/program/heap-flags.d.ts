export const restsIdle: string
export const heapFlags: readonly string[]
export const youngMemory: string
