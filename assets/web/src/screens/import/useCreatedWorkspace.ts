/** The workspace that an import creates. It is deleted again if the import fails and the user gives up. */
import { useEffect, useMemo } from 'react';
import { createWorkspace, deleteWorkspace } from '@/api/generated';
import { DEFAULT_SHARING } from '@/core/model/sharing';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';

interface Created {
  /** Creates the workspace, once. */
  get: (name: string) => Promise<string>;
  /** Keeps it when the dialog closes. */
  keep: () => void;
}

export function useCreatedWorkspace(): Created {
  const [created, leave] = useMemo(newCreation, []);
  useEffect(() => leave, [leave]);
  return created;
}

function newCreation(): [created: Created, leave: () => void] {
  let id: string | null = null;
  let isKept = false;
  const created: Created = {
    get: async (name) => {
      id ??= (await createWorkspace({ name: name.trim(), ...DEFAULT_SHARING })).workspace.id;
      return id;
    },
    keep: () => {
      isKept = true;
    },
  };
  const leave = () => {
    if (id === null || isKept) return;
    // It is empty, so nothing is lost if this fails.
    void deleteWorkspace(id).then(invalidateWorkspaces, () => undefined);
  };
  return [created, leave];
}
