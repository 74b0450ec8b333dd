export function ancestors(): string
export function whenOrphaned(family: string | undefined, stop: () => void): () => void
