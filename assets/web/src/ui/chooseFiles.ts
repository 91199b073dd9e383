/** Opens the file chooser of the browser. Resolves to no files if the user cancels. */
export function chooseFiles(types: readonly string[], isMultiple = false): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = types.join(',');
  input.multiple = isMultiple;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
