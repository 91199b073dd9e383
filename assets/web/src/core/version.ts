/** The version of Planroom, from `Cargo.toml`. The server and its embedded client have the same version. */
declare const __PLANROOM_VERSION__: string;

export const VERSION = __PLANROOM_VERSION__;
