/** URLs of the fonts on the map, to embed them in exported images. */
export { default as medium } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2?url';
export { default as semibold } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url';
export { default as regular } from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
