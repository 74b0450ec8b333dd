/** What a part of an OpenAPI document is, if it is a reference, or itself. */
export function follow<Part extends object>(document: object, part: Part): Part {
  if (!('$ref' in part)) return part
  const names = String(part.$ref).replace('#/', '').split('/')
  const target = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
  if (typeof target !== 'object' || target === null) throw new Error(`${part.$ref} leads nowhere.`)
  return follow(document, target as Part)
}
