/** The changed fields of a record for its audit entry: each with its value before and after. */
export const changesOf = <Name extends string>(
  names: readonly Name[],
  before: Readonly<Record<NoInfer<Name>, unknown>>,
  after: Readonly<Partial<Record<NoInfer<Name>, unknown>>>,
): Record<string, { before: unknown; after: unknown }> =>
  Object.fromEntries(names.map(name => [name, { before: before[name], after: after[name] }]))
