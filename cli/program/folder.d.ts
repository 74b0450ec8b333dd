export function programFolder(root: string): string
export function programFile(root: string, folder?: string): string
