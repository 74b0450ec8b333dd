export function buildProgram(root: string, folder: string, node: string): Promise<void>
export function removeUnused(folder: string): void
