/** As Gatus itself knows an endpoint: by its group and its name. */
export const idOf = ({ group, name }: { group?: string | null; name?: string | null }): string =>
  `${group ?? ''}_${name ?? ''}`
