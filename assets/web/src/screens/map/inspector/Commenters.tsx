/** Who can comment in the workspace. Owners change it. */
import { type CommentSettingsPatch, updateCommentSettings } from '@/api/generated';
import { invalidateComments, useCommentOverview } from '@/data/comments';
import { SelectField } from '@/ui/Field';
import { showError } from '@/ui/Toasts';

interface Props {
  workspaceId: string;
  isOwner: boolean;
}

export function Commenters({ workspaceId, isOwner }: Props) {
  const { data } = useCommentOverview(workspaceId);
  if (!data) return null;
  const change = async (commenters: CommentSettingsPatch['commenters']) => {
    await updateCommentSettings(workspaceId, { commenters }).catch(showError);
    await invalidateComments(workspaceId);
  };
  return (
    <SelectField
      label="Who can comment"
      value={data.commenters}
      disabled={!isOwner}
      onChange={(event) => void change(event.target.value as CommentSettingsPatch['commenters'])}
    >
      <option value="viewers">Everyone who can view the workspace</option>
      <option value="editors">Everyone who can edit the workspace</option>
    </SelectField>
  );
}
