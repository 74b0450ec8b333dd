/** The family of the letters of pictures. */
export const pictureFont = 'Roboto'
