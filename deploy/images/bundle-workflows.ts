import { cacheFolders } from '#cli/local/cache.ts'
import { bundle } from '#workflows/bundle.ts'

/** Puts the bundle of the workflows into the cache folder of the image (`VEDETTE_CACHE`), where the worker finds it. */

const [folder] = cacheFolders()
if (!folder) throw new Error('VEDETTE_CACHE names no folder.')
const code = await bundle(folder)
console.log(`workflows ${code.length} characters`)
