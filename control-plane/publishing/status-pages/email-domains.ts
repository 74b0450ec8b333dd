/** Whether an address is of one of these domains, which are in lower case; one below them is another. */
export const isOfDomain = (address: string, domains: readonly string[]): boolean =>
  domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
