/** The folder of the bundle in a process that runs it. `bundle.ts` puts it here; without a bundle there is none. */
export const bundleFolder: string | undefined = undefined
