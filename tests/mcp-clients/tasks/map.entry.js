// What is counted on a map that the web client draws. Bundled by measure.mjs.
import { contentOf } from '@/map/state/cardContent';
import { buildModel } from '@/core/model/model';
import { countRouteFaults } from '@/core/route/measure';
import { routeLines } from '@/core/route/route';
import { sceneRouteInput } from '@/core/route/sceneInput';
import { cardSizes } from '@/core/scene/cardSizes';
import { overlaps } from '@/core/scene/geometry';
import { buildScene, nodeRects } from '@/core/scene/scene';

/** Draws a workspace with all details of cards, and counts what is in the way of what. */
export function measure(bundle, catalogue) {
  const byId = (rows) => new Map(rows.map((row) => [String(row.id), row]));
  const rows = {
    workspace: bundle.workspace,
    component: byId(bundle.components),
    relationship: byId(bundle.relationships),
    stakeholder: byId(bundle.stakeholders),
    process: byId(bundle.processes),
    note: new Map(),
  };
  const scene = buildScene(rows, new Set());
  const model = buildModel(rows, catalogue);
  const content = contentOf(catalogue, [], model.stakeholders, { description: true, owner: true });
  const rects = nodeRects(scene, null, cardSizes(scene, content));
  const input = sceneRouteInput(scene, rects);
  const { routed, overCards, overTitles, crossings, bends } = countRouteFaults(input, routeLines(input).points);
  return {
    lines: input.lines.length,
    routed,
    overCards,
    overTitles,
    crossings,
    bends,
    overlapping: overlapping(scene, rects),
  };
}

/** The pairs of components that are drawn over each other although neither contains the other. */
function overlapping({ nodes }, rects) {
  const isAround = (group, at) => {
    for (let above = nodes[at].parent; above >= 0; above = nodes[above].parent) if (above === group) return true;
    return false;
  };
  return rects.flatMap((rect, at) =>
    rects.slice(0, at).flatMap((other, before) => {
      const isApart = !overlaps(rect, other) || isAround(at, before) || isAround(before, at);
      return isApart ? [] : [[nodes[before].id, nodes[at].id]];
    }),
  );
}
