/**
 * Causes of incidents and warnings with their German translations. A cause is stored as an English sentence; `$1` is
 * what the first group of the pattern matched.
 */
export type GermanCauses = readonly (readonly [english: RegExp, german: string])[]
