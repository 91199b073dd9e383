/** Where the label face is, for pictures that carry it along. */
export { default as medium } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2?url';
export { default as semibold } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url';
