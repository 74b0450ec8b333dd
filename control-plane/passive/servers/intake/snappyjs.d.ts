declare module 'snappyjs' {
  /** Refuses data whose stated length is larger. */
  export function uncompress(packed: Uint8Array, maxLength?: number): Uint8Array
  export function compress(plain: Uint8Array): Uint8Array
}
