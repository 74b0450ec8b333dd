declare module 'snappyjs' {
  /** Refuses what says of itself that it is longer. */
  export function uncompress(packed: Uint8Array, maxLength?: number): Uint8Array
  export function compress(plain: Uint8Array): Uint8Array
}
