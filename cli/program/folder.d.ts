export function programFolder(root: string): string
