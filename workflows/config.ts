/** Where workers of ours look for work. */
export const taskQueue = 'vedette'
