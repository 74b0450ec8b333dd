export function spareDisk(root: string, options: { keepsDevelopmentSet: boolean }): void
