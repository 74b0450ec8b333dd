/** The setting LOCALES_FOLDER, a folder with further languages: read before all else, as declarations name them. */
export const localesFolder = process.env.LOCALES_FOLDER
