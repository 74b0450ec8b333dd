import { hash } from 'node:crypto'

/** Weak: two answers that read alike may differ in their bytes once a proxy has packed them. */
export const etagOf = (text: string) => `W/"${hash('sha1', text, 'base64url')}"`
