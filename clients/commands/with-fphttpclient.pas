// build: fpc -v0 -o"OUT" -FU"$(mktemp -d)" IN
// Loads a URL with fphttpclient: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
{$mode objfpc}{$H+}
uses Classes, SysUtils, StrUtils, IOStream, fphttpclient;
var
  client: TFPHTTPClient;
  output: TIOStream;
  index, at: Integer;
  word: string;
begin
  client := TFPHTTPClient.Create(nil);
  for index := 3 to ParamCount do
  begin
    word := ParamStr(index);
    at := Pos(': ', word);
    if word = '+follow' then client.AllowRedirect := True
    else if word[1] = '@' then client.RequestBody := TFileStream.Create(Copy(word, 2, Length(word)), fmOpenRead)
    else client.AddHeader(Copy(word, 1, at - 1), Copy(word, at + 2, Length(word)));
  end;
  output := TIOStream.Create(iosOutput);
  try
    client.HTTPMethod(ParamStr(1), ParamStr(2), output, []);
  except
    on failure: Exception do
    begin
      WriteLn(StdErr, failure.Message);
      Halt(1);
    end;
  end;
end.
