export declare const restsIdle: string
export declare const heapFlags: readonly string[]
export declare const youngMemory: string
