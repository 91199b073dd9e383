/** URLs of the label font, to embed it in exported images. */
export { default as medium } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2?url';
export { default as semibold } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url';
